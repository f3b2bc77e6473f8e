import { type Ping } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { type NewPing } from './ping-shapes.ts'
import { isWhole, useSendPingImage, useStartPingChat } from './pings.api.ts'
import { createStrings, waitingStrings } from './strings.ts'
import { type Extras, useDropPing } from './use-drop-ping.ts'

/** Creates a ping, then what hangs on it. Says how that went, also where the screen has been left meanwhile. */
export function useNewPing(owner: User) {
  const creation = useDropPing(owner)
  const chat = useStartPingChat()
  const sending = useSendPingImage()
  const { showError, showNotice } = useSnackbar()

  /** Throws only where the server refuses the ping: it stands whatever becomes of its picture and its chat. */
  async function create(input: NewPing, { image, wantsChat }: Extras): Promise<Ping | null> {
    const ping = await creation.drop(input, { image, wantsChat })
    if (ping === null) {
      showNotice(waitingStrings.kept)
      return null
    }
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
