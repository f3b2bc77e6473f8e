import type { User } from '@hither/contract/users.ts'
import { newId } from '../../device/ids.ts'
import { suggestNotifications } from '../../notifications/push/suggestion.ts'
import { withPing } from '../outbox/outbox.rules.ts'
import { pingsLock, waitingPings } from '../outbox/ping-outbox.ts'
import { sendWithOutbox } from '../outbox/send-with-outbox.ts'
import type { NewPing } from '../ping-shapes.ts'
import { type CreatedPing, useCreatePing } from '../pings.mutations.ts'

/** What the user wants in addition to the ping. */
export interface Extras {
  image: Blob | null
  wantsChat: boolean
}

/**
 * Creates a ping. Resolves to null without network: the outbox sends the ping and its extras later. Throws the server's
 * refusal.
 */
export function useDropPing(owner: User) {
  const creation = useCreatePing(owner)

  async function drop(input: NewPing, { image, wantsChat }: Extras): Promise<CreatedPing | null> {
    const client_id = newId()
    const item = {
      client_id,
      written_at: Date.now(),
      input,
      image,
      wants_chat: wantsChat,
      refusal: null,
      made: null,
    }
    const ping = await sendWithOutbox({
      item,
      owner: owner.id,
      queue: waitingPings,
      lock: pingsLock(owner.id),
      put: (pings) => withPing(pings, item),
      send: () => creation.mutateAsync({ ...input, client_id }),
    })
    if (ping !== null) suggestNotifications()
    return ping
  }

  return { drop, isPending: creation.isPending }
}
