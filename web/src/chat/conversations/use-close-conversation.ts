import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { nameOf } from '../conversation-name.ts'
import { conversationStrings } from '../strings.ts'

/** Returns a function that goes back to the list. Also goes back when the viewer is no longer a participant. */
export function useCloseConversation(open: OpenConversation | null | undefined): () => void {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { showError } = useSnackbar()
  const shown = useRef<OpenConversation | null>(null)
  const isClosing = useRef(false)

  useEffect(() => {
    if (open) {
      if (shown.current?.conversation.id !== open.conversation.id) isClosing.current = false
      shown.current = open
    } else if (open === null && shown.current !== null) {
      if (!isClosing.current) showError(conversationStrings.ended(nameOf(shown.current.conversation)))
      shown.current = null
      void navigate('/chat', { replace: true })
    }
  }, [open, navigate, showError])

  return () => {
    isClosing.current = true
    // The list is the previous history entry only if the conversation was opened from it.
    if ((state as { fromList?: boolean } | null)?.fromList) void navigate(-1)
    else void navigate('/chat', { replace: true })
  }
}
