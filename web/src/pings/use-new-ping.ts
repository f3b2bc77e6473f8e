import { type Ping } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { type NewPing } from './ping-shapes.ts'
import { isWhole, useCreatePing, useSendPingImage, useStartPingChat } from './pings.api.ts'
import { createStrings } from './strings.ts'

interface Extras {
  image: Blob | null
  wantsChat: boolean
}

/** Creates a ping, then what hangs on it. Says how that went, also where the screen has been left meanwhile. */
export function useNewPing(owner: User) {
  const creation = useCreatePing(owner)
  const chat = useStartPingChat()
  const sending = useSendPingImage()
  const { showError, showNotice } = useSnackbar()

  /** Throws only where there is no ping: it stands whatever becomes of its picture and its chat. */
  async function create(input: NewPing, { image, wantsChat }: Extras): Promise<Ping | null> {
    const ping = await creation.mutateAsync(input)
    if (!isWhole(ping)) {
      if (image === null) showNotice(createStrings.created)
      else showError(createStrings.imageIdMissing)
      return null
    }
    void sayWhatBecame(ping, { image, wantsChat })
    return ping
  }

  async function sayWhatBecame(ping: Ping, { image, wantsChat }: Extras) {
    const sent =
      image &&
      sending.mutateAsync({ pingId: ping.id, file: image }).then(
        () => true,
        () => false,
      )
    showNotice(wantsChat ? await chatOutcome(ping) : createStrings.created)
    if ((await sent) === false) showError(createStrings.imageFailed)
  }

  async function chatOutcome(ping: Ping): Promise<string> {
    if (ping.recipients.length < 2) return createStrings.createdWithoutChat
    try {
      const conversation = await chat.mutateAsync(ping)
      return conversation?.name ? createStrings.createdWithChat(conversation.name) : createStrings.createdWithoutChat
    } catch {
      return createStrings.createdChatFailed
    }
  }

  return { create, isPending: creation.isPending, error: creation.error, reset: creation.reset }
}
