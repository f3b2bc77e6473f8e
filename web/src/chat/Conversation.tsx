import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { friendsQuery } from '../friends/friends.api.ts'
import { useTitle } from '../ui/use-title.ts'
import { Composer } from './Composer.tsx'
import { ConversationHeader } from './ConversationHeader.tsx'
import { useTidyConversation } from './chat.api.ts'
import { type OpenConversation } from './chat-changes.ts'
import { nameOf } from './conversation-name.ts'
import { FriendsOnly } from './FriendsOnly.tsx'
import { MessageList } from './MessageList.tsx'
import { useTyping } from './use-typing.ts'

interface Props {
  open: OpenConversation
  viewer: User
  onClose: () => void
}

export function Conversation({ open, viewer, onClose }: Props) {
  const { conversation } = open
  const { typing, tellTyping } = useTyping(open, viewer)
  useTitle(nameOf(conversation))
  useTidyConversation(conversation.id)
  return (
    <Box
      component="section"
      aria-label={nameOf(conversation)}
      sx={{ position: 'absolute', inset: 0, display: 'flex', flexDirection: 'column', minHeight: 0 }}
    >
      <ConversationHeader conversation={conversation} viewer={viewer} onClose={onClose} />
      <MessageList open={open} viewer={viewer} typing={typing} />
      {useIsMessageable(open) ? (
        <Composer conversationId={conversation.id} viewer={viewer} onTyping={tellTyping} />
      ) : (
        <FriendsOnly />
      )}
    </Box>
  )
}

/** A direct conversation stays readable after the friendship has ended. */
function useIsMessageable({ conversation }: OpenConversation): boolean {
  const { data: friends } = useQuery(friendsQuery())
  if (conversation.type === 'group') return true
  const { direct_participant } = conversation
  if (direct_participant === null) return false
  return friends?.some(({ user_id }) => user_id === direct_participant.user_id) ?? true
}
