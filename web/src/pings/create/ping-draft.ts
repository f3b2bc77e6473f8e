import { pingLimits, quickPin } from '@hither/contract/runtime/pings.ts'
import type { Place } from '../../map/map-defaults.ts'
import { localInputOf } from '../../ui/local-input.ts'
import type { WaitingPing } from '../outbox/outbox.rules.ts'
import { chosenAudienceOf } from './audience/audience.rules.ts'
import { emptyPingForm, type PingForm } from './create-ping.rules.ts'
import { offeredChoice, offeredPolicy } from './place-privacy.rules.ts'

export type PlaceWithAddress = Place & { address: string | null }

/** The initial content of a new pin. */
export interface PingDraft {
  form: Partial<PingForm>
  image: Blob | null
  /** The error of an image that could not be used. */
  imageErrorText: string | null
  /** The `client_id` of the refused ping that the new one replaces. */
  replaces: string | null
  /** The place of a ping that is dropped again. */
  place?: PlaceWithAddress
  /** What the user should know about the content. */
  notes?: readonly string[]
}

/** Returns a draft with everything that was entered for a waiting ping. */
export function draftOfWaiting({ client_id, input, image, wants_chat }: WaitingPing): PingDraft {
  const exactPlaceFor = offeredChoice(input.exact_place_for ?? 'everyone', input.is_public ?? false)
  const form: PingForm = {
    name: input.name,
    defaultName: input.is_unnamed ? input.name : null,
    message: input.message ?? '',
    duration: input.duration_minutes ?? pingLimits.durationDefaultMinutes,
    ...chosenAudienceOf(input),
    isScheduled: input.activates_at != null,
    startsAt: input.activates_at == null ? '' : localInputOf(Date.parse(input.activates_at)),
    responsesVisible: input.responses_visible ?? quickPin.responses_visible,
    isPublic: input.is_public ?? quickPin.is_public,
    guestPolicy: input.guest_policy ?? offeredPolicy({ exact_place_for: exactPlaceFor }),
    exactPlaceFor,
    areaKm: input.area_km ?? emptyPingForm.areaKm,
    groupChat: wants_chat || emptyPingForm.groupChat,
  }
  return { form, image, imageErrorText: null, replaces: client_id }
}
