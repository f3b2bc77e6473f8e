import type { OwnPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import { t } from '../../i18n/translate.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useStartPingChat } from '../chat/ping-chat.mutations.ts'
import { createdNotice } from '../created-notice.ts'
import { useSendPingImage } from '../pictures/ping-image.mutations.ts'
import type { NewPing } from '../ping-shapes.ts'
import { isWhole } from '../pings.mutations.ts'
import { type Extras, useDropPing } from './use-drop-ping.ts'

/** Creates a ping, then its image and its chat. Shows the result, also if the screen was left in the meantime. */
export function useNewPing(owner: User) {
  const creation = useDropPing(owner)
  const chat = useStartPingChat()
  const sending = useSendPingImage()
  const { showError, showNotice } = useSnackbar()

  /** Throws only if the server refuses the ping. A failed image or chat does not remove the ping. */
  async function create(input: NewPing, { image, wantsChat }: Extras): Promise<OwnPing | null> {
    const ping = await creation.drop(input, { image, wantsChat })
    if (ping === null) {
      showNotice(t('pings.waiting.kept'))
      return null
    }
    if (!isWhole(ping)) {
      if (image === null) showNotice(t('pings.create.created'))
      else showError(t('files.pingIdMissing'))
      return null
    }
    void sayWhatBecame(ping, { image, wantsChat })
    return ping
  }

  async function sayWhatBecame(ping: OwnPing, { image, wantsChat }: Extras) {
    const sent =
      image &&
      sending.mutateAsync({ pingId: ping.id, file: image }).then(
        () => true,
        () => false,
      )
    publishNotice(createdNotice(ping, wantsChat ? await chatOutcome(ping) : undefined))
    if ((await sent) === false) showError(t('files.pingImageUploadFailed'))
  }

  async function chatOutcome(ping: OwnPing): Promise<string> {
    if (ping.recipients.length < 2) return t('pings.create.createdWithoutChat')
    try {
      const conversation = await chat.mutateAsync(ping)
      return conversation?.name
        ? t('pings.create.createdWithChat', { chatName: conversation.name })
        : t('pings.create.createdWithoutChat')
    } catch {
      return t('pings.create.createdChatFailed')
    }
  }

  return { create, isPending: creation.isPending }
}
