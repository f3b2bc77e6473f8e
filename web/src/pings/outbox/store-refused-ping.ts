import type { UserId } from '@hither/contract/ids.ts'
import { newId } from '../../device/ids.ts'
import type { Extras } from '../create/use-drop-ping.ts'
import type { NewPing } from '../ping-shapes.ts'
import { withPing } from './outbox.rules.ts'
import { waitingPings } from './ping-outbox.ts'

/** Stores a ping that the server refused, with the reason, so that the owner can retry or edit it in My Pins. */
export function storeRefusedPing(owner: UserId, input: NewPing, { image, wantsChat }: Extras, refusal: string) {
  return waitingPings.edit(owner, (pings) =>
    withPing(pings, {
      client_id: newId(),
      written_at: Date.now(),
      input,
      image,
      wants_chat: wantsChat,
      refusal,
      made: null,
    }),
  )
}
