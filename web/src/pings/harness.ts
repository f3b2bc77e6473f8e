import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'

/** A pin of bob, as it was created. */
export const pingRow: PingRow = {
  id: 'p1' as PingId,
  user_id: 'bob' as UserId,
  username: 'bob',
  display_name: null,
  user_has_image: false,
  name: 'Coffee at Nero',
  latitude: 40.7589,
  longitude: -73.9851,
  created_at: '2026-11-21T12:00:00.000Z',
  activates_at: null,
  expires_at: '2026-11-21T12:30:00.000Z',
  message: null,
  has_image: false,
  status: 'active',
  address: null,
  is_public: false,
  responses_visible: true,
  conversation_id: null,
  guest_policy: 'off',
  updated_at: '2026-11-21T12:00:00.000Z',
  revision: 0,
  place_revision: 0,
  time_revision: 0,
  canceled_at: null,
  cancel_message: null,
  place_radius_m: null,
  exact_place_for: 'everyone',
  area_km: 1,
}
