import type { UserId } from '@hither/contract/ids.ts'
import type { Guest } from '@hither/contract/pings.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds, type GuestAudience } from '../../feeds/feeds.ts'

/** A guest with the invitees from whom a block hides it. */
export interface SeenGuest {
  readonly guest: Guest
  readonly hidden_from: readonly UserId[]
}

/**
 * Announces the change of a guest: each person receives an INSERT, UPDATE or DELETE according to what they saw before and
 * see afterwards. `null`: there was or is no guest.
 */
export function announceGuest(
  announce: Announce,
  ping: Omit<GuestAudience, 'hidden_from'>,
  before: SeenGuest | null,
  after: SeenGuest | null,
): void {
  const sawBefore = before ? audienceOf(ping, before) : null
  const seesAfter = after ? audienceOf(ping, after) : null
  const isNew = (id: UserId) => !sawBefore?.includes(id)
  const isLost = (id: UserId) => !seesAfter?.includes(id)
  if (after && seesAfter) {
    announce.insert('ping_guests', after.guest, limitAudience(seesAfter, seesAfter.filter(isNew)))
    if (before && sawBefore)
      announce.update('ping_guests', after.guest, before.guest, limitAudience(seesAfter, sawBefore))
  }
  if (before && sawBefore)
    announce.delete('ping_guests', before.guest, limitAudience(sawBefore, sawBefore.filter(isLost)))
}

function audienceOf(ping: Omit<GuestAudience, 'hidden_from'>, { guest, hidden_from }: SeenGuest) {
  return feeds.ping_guests.audience(guest, { ...ping, hidden_from })
}
