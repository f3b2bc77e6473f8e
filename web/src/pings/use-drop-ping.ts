import { type User } from '@hither/contract/users.ts'
import { suggestNotifications } from '../notifications/suggestion.ts'
import { sendByHand } from './by-hand.ts'
import { pingsLock, waitingPings } from './ping-outbox.ts'
import { type NewPing } from './ping-shapes.ts'
import { type CreatedPing, useCreatePing } from './pings.api.ts'
import { withPing } from './waiting.rules.ts'

/** What is to be made of a ping once it stands. */
export interface Extras {
  image: Blob | null
  wantsChat: boolean
}

/** Drops a pin; null where there is no network: it is sent with its extras as soon as there is. Throws what the server says. */
export function useDropPing(owner: User) {
  const creation = useCreatePing(owner)

  async function drop(input: NewPing, { image, wantsChat }: Extras): Promise<CreatedPing | null> {
    const client_id = crypto.randomUUID()
    const item = {
      client_id,
      written_at: Date.now(),
      input,
      image,
      wants_chat: wantsChat,
      refusal: null,
      made: null,
    }
    const ping = await sendByHand({
      item,
      owner: owner.id,
      shelf: waitingPings,
      lock: pingsLock(owner.id),
      put: (pings) => withPing(pings, item),
      send: () => creation.mutateAsync({ ...input, client_id }),
    })
    if (ping === null) creation.reset()
    else suggestNotifications()
    return ping
  }

  return { drop, isPending: creation.isPending, error: creation.error, reset: creation.reset }
}
