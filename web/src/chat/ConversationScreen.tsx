import { type ConversationId } from '@hither/contract/ids.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useSession } from '../auth/session.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { Conversation } from './Conversation.tsx'
import { ConversationSkeleton } from './ConversationSkeleton.tsx'
import { conversationQuery } from './chat.api.ts'
import { chatStrings, conversationStrings } from './strings.ts'
import { useCloseConversation } from './use-close-conversation.ts'

/** One conversation in whatever state it is. */
export function ConversationScreen() {
  const { conversationId = '' } = useParams()
  const id = conversationId as ConversationId
  const { user } = useSession()
  const conversation = useQuery(conversationQuery(id))
  const close = useCloseConversation(conversation.data)

  if (user === null) return null
  // What was not to be found when it was looked for last may be there by now.
  const isFirst =
    conversation.data === undefined ? !conversation.isError : conversation.data === null && conversation.isFetching
  if (isFirst) return <ConversationSkeleton />
  if (conversation.data) return <Conversation key={id} open={conversation.data} viewer={user} onClose={close} />
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start', p: { xs: 2, sm: 3 } }}>
      <Box sx={{ width: '100%' }}>
        {conversation.data === null ? (
          <ErrorAlert message={conversationStrings.notFound} />
        ) : (
          <ErrorAlert
            message={chatStrings.loadFailed}
            onRetry={() => void conversation.refetch()}
            isRetrying={conversation.isFetching}
          />
        )}
      </Box>
      <Button variant="outlined" startIcon={<ArrowBackRounded />} onClick={close}>
        {conversationStrings.toList}
      </Button>
    </Box>
  )
}
