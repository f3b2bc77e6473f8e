import { type UserId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate, useParams } from 'react-router'
import { messageOf } from '../api/api-error.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { ConversationList } from './ConversationList.tsx'
import { useOpenDirect } from './chat.api.ts'
import { chatStrings } from './strings.ts'

/** The list, the open conversation, or from md up both. */
export function ChatScreen() {
  const { conversationId } = useParams()
  const isOpening = useOpenFromElsewhere()
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
          borderRight: { md: 1 },
          borderColor: { md: 'divider' },
          bgcolor: { md: 'background.paper' },
        }}
      >
        <ConversationList isOpening={isOpening} />
      </Box>
      <Box sx={{ display: { xs: isOpen ? 'block' : 'none', md: 'block' }, position: 'relative', minHeight: 0 }}>
        <Outlet />
      </Box>
    </Box>
  )
}

/** Other screens lead here with `{ userId }` as the state of the navigation, to chat with that person. */
function useOpenFromElsewhere(): boolean {
  const { state } = useLocation()
  const navigate = useNavigate()
  const { showError } = useSnackbar()
  const { mutate, isPending } = useOpenDirect()
  const userId = (state as { userId?: UserId } | null)?.userId

  useEffect(() => {
    if (userId === undefined) return
    // Coming back here is not asking again.
    void navigate('/chat', { replace: true, state: null })
    mutate(userId, {
      onSuccess: (conversationId) => void navigate(`/chat/${conversationId}`, { replace: true }),
      onError: (error) => showError(messageOf(error, chatStrings.navigateFailed)),
    })
  }, [userId, mutate, navigate, showError])

  return isPending
}
