import type { OwnPing } from '@hither/contract/pings.ts'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import { useNavigate } from 'react-router'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useStartPingChat } from './ping-chat.mutations.ts'

/** Creates and opens the chat of an own ping. */
export function StartChatButton({ ping }: { ping: OwnPing }) {
  const navigate = useNavigate()
  const starting = useStartPingChat()
  const { showError } = useSnackbar()

  async function handleStart() {
    try {
      const { id } = await starting.mutateAsync(ping)
      navigate(`/chat/${id}`)
    } catch (error) {
      showError(messageOf(error, t('chat.createFailed')))
    }
  }

  return (
    <LoadingButton
      variant="outlined"
      startIcon={<ChatBubbleOutlineRounded />}
      isWorking={starting.isPending}
      onClick={handleStart}
    >
      {t('pings.startChat')}
    </LoadingButton>
  )
}
