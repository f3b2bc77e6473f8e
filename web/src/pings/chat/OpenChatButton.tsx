import type { ConversationId } from '@hither/contract/ids.ts'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import type { ButtonProps } from '@mui/material/Button'
import { useNavigate } from 'react-router'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useEnterPingChat } from './ping-chat.mutations.ts'

interface Props extends Pick<ButtonProps, 'size' | 'variant'> {
  conversationId: ConversationId
}

/** Joins and opens the chat of a ping. */
export function OpenChatButton({ conversationId, ...props }: Props) {
  const navigate = useNavigate()
  const entering = useEnterPingChat()
  const { showError } = useSnackbar()

  async function handleOpen() {
    try {
      await entering.mutateAsync(conversationId)
      navigate(`/chat/${conversationId}`)
    } catch (error) {
      showError(messageOf(error, t('chat.loadFailed')))
    }
  }

  return (
    <LoadingButton
      variant="contained"
      {...props}
      startIcon={<ChatBubbleOutlineRounded />}
      isWorking={entering.isPending}
      onClick={handleOpen}
    >
      {t('pings.openChat')}
    </LoadingButton>
  )
}
