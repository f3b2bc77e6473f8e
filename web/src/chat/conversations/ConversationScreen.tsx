import type { ConversationId, PingId, UserId } from '@hither/contract/ids.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { isRefusal } from '../../api/api-error.ts'
import { blockedQuery } from '../../friends/blocks.api.ts'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { useSession } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { conversationQuery } from '../chat.api.ts'
import { useJoinAgain } from '../conversations.mutations.ts'
import { Conversation } from './Conversation.tsx'
import { ConversationSkeleton } from './ConversationSkeleton.tsx'
import { useCloseConversation } from './use-close-conversation.ts'

interface Props {
  /** Renders the link to the ping of a ping's chat, above the messages. */
  renderPing: (pingId: PingId) => ReactNode
  /** Renders the pins of the other participant of a direct conversation in their profile. */
  renderPins: (userId: UserId) => ReactNode
  /** Whether the viewer has created the ping of the conversation; undefined if there is none, or it is unknown. */
  isPingOwner: boolean | undefined
}

/** The conversation of the address, or the reason why it cannot be shown. */
export function ConversationScreen({ renderPing, renderPins, isPingOwner }: Props) {
  const { conversationId = '' } = useParams()
  const id = conversationId as ConversationId
  const { user } = useSession()
  const conversation = useQuery(conversationQuery(id))
  // Loaded at the same time as the conversation.
  const isGroup = conversation.data?.conversation.type !== 'direct'
  const blocks = useQuery({ ...blockedQuery(), enabled: isGroup })
  const areBlocksUnknown = isGroup && blocks.data === undefined
  const close = useCloseConversation(conversation.data)
  const joining = useJoinAgain(id)
  const { showError } = useSnackbar()
  const hasLeft = isRefusal(conversation.error, 'conversation_left')

  if (user === null) return null
  // A conversation that was not found the last time may exist now.
  const isFirst =
    conversation.data === undefined ? !conversation.isError : conversation.data === null && conversation.isFetching
  // What blocked members of a group have sent is not even shown for a moment, or after a failure.
  if (isFirst || (areBlocksUnknown && !blocks.isError)) return <ConversationSkeleton />
  if (conversation.data && !areBlocksUnknown)
    return (
      <Conversation
        key={id}
        open={conversation.data}
        viewer={user}
        renderPing={renderPing}
        renderPins={renderPins}
        isPingOwner={isPingOwner}
        onClose={close}
      />
    )
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start', p: { xs: 2, sm: 3 } }}>
      <Box sx={{ width: '100%' }}>
        {hasLeft ? (
          <Alert severity="info">{t('errors.conversation_left')}</Alert>
        ) : conversation.data === null ? (
          <ErrorAlert message={t('errors.conversation_not_found')} />
        ) : (
          <ErrorAlert
            message={t('chat.loadFailed')}
            onRetry={handleRetry}
            isRetrying={conversation.isFetching || blocks.isFetching}
          />
        )}
      </Box>
      {hasLeft && (
        <Button variant="contained" loading={joining.isPending} onClick={handleJoin}>
          {t('chat.conversation.joinAgain')}
        </Button>
      )}
      <Button variant="outlined" startIcon={<ArrowBackRounded sx={mirrored} />} onClick={close}>
        {t('chat.conversation.toList')}
      </Button>
    </Box>
  )

  function handleJoin() {
    joining.mutate(undefined, { onError: () => showError(t('chat.loadFailed')) })
  }

  function handleRetry() {
    if (conversation.data === undefined) void conversation.refetch()
    if (areBlocksUnknown) void blocks.refetch()
  }
}
