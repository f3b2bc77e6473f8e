import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { nameOf } from '../conversation-name.ts'
import { endKey } from '../conversations.mutations.ts'
import { clockErrorMs, hasEnded } from '../dates/chat-date.rules.ts'

/** Returns a function that goes back to the list. Also goes back when the viewer is no longer a participant. */
export function useCloseConversation(open: OpenConversation | null | undefined): () => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const { showError, showNotice } = useSnackbar()
  const shown = useRef<OpenConversation | null>(null)
  const isClosing = useRef(false)

  useEffect(() => {
    if (open) {
      if (shown.current?.conversation.id !== open.conversation.id) isClosing.current = false
      shown.current = open
    } else if (open === null && shown.current !== null) {
      const { conversation } = shown.current
      // The live row may arrive before the response to the viewer's own request.
      const isOwnDoing = isClosing.current || queryClient.isMutating({ mutationKey: endKey(conversation.id) }) > 0
      const name = nameOf(conversation)
      if (!isOwnDoing) {
        if (hasEnded(conversation, serverNow() + clockErrorMs)) showNotice(t('chat.date.ended', { name }))
        else showError(t('chat.conversation.ended', { name }))
      }
      shown.current = null
      void navigate('/chat', { replace: true })
    }
  }, [open, navigate, queryClient, showError, showNotice])

  return () => {
    isClosing.current = true
    // The list is the previous history entry only if the conversation was opened from it.
    if ((state as { fromList?: boolean } | null)?.fromList) void navigate(-1)
    else void navigate('/chat', { replace: true })
  }
}
