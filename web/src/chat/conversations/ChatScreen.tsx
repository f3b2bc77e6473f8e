import type { UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import { useEffect } from 'react'
import { Outlet, useLocation, useMatch, useNavigate, useParams } from 'react-router'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useOpenDirect } from '../conversations.mutations.ts'
import { ConversationList } from './ConversationList.tsx'

const ArchivedConversations = lazyComponent(
  async () => (await import('./ArchivedConversations.tsx')).ArchivedConversations,
)

/** The conversation list and the open conversation; below the breakpoint `md`, one of them. */
export function ChatScreen() {
  const { conversationId } = useParams()
  const isOpening = useOpenFromElsewhere()
  const isArchive = useIsArchive()
  const isOpen = conversationId !== undefined
  return (
    <Box
      sx={{
        position: 'absolute',
        inset: 0,
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '400px minmax(0, 1fr)' },
        gridTemplateRows: 'minmax(0, 1fr)',
      }}
    >
      <Box
        sx={{
          display: { xs: isOpen ? 'none' : 'block', md: 'block' },
          position: 'relative',
          minHeight: 0,
          borderInlineEnd: { md: '1px solid' },
          borderColor: { md: 'divider' },
          bgcolor: { md: 'background.paper' },
        }}
      >
        {isArchive ? <ArchivedConversations /> : <ConversationList isOpening={isOpening} />}
      </Box>
      <Box sx={{ display: { xs: isOpen ? 'block' : 'none', md: 'block' }, position: 'relative', minHeight: 0 }}>
        <Outlet />
      </Box>
    </Box>
  )
}

/** Whether the archived conversations are listed: on their own screen, and next to a conversation that was opened there. */
function useIsArchive(): boolean {
  const isScreen = useMatch('/chat/archived') !== null
  const { state } = useLocation()
  return isScreen || (state as { fromArchived?: boolean } | null)?.fromArchived === true
}

/** Other screens navigate here with `{ userId }` as the navigation state to open the chat with that user. */
function useOpenFromElsewhere(): boolean {
  const { state } = useLocation()
  const navigate = useNavigate()
  const { showError } = useSnackbar()
  const { mutate, isPending } = useOpenDirect()
  const userId = (state as { userId?: UserId } | null)?.userId

  useEffect(() => {
    if (userId === undefined) return
    // Without the state, going back to this screen does not open the chat again.
    void navigate('/chat', { replace: true, state: null })
    mutate(userId, {
      onSuccess: (conversationId) => void navigate(`/chat/${conversationId}`, { replace: true }),
      onError: (error) => showError(messageOf(error, t('chat.navigateFailed'))),
    })
  }, [userId, mutate, navigate, showError])

  return isPending
}
