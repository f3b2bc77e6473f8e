import { type UserId } from '@hither/contract/ids.ts'
import { waitingPings } from './ping-outbox.ts'
import { type NewPing } from './ping-shapes.ts'
import { type Extras } from './use-drop-ping.ts'
import { withPing } from './waiting.rules.ts'

/** Puts what the server would not take into My Pins, with the reason, to be tried again or changed. */
export function keepRefused(owner: UserId, input: NewPing, { image, wantsChat }: Extras, refusal: string) {
  return waitingPings.edit(owner, (pings) =>
    withPing(pings, {
      client_id: crypto.randomUUID(),
      written_at: Date.now(),
      input,
      image,
      wants_chat: wantsChat,
      refusal,
      made: null,
    }),
  )
}
