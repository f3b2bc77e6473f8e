import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { friendsQuery } from '../../friends/friends.api.ts'
import { useTitle } from '../../ui/use-title.ts'
import { OpenPhoto } from '../attachments/OpenPhoto.tsx'
import { findMessage, type OpenConversation } from '../chat-changes.ts'
import { Composer } from '../compose/Composer.tsx'
import { EditComposer } from '../compose/EditComposer.tsx'
import { FriendsOnly } from '../compose/FriendsOnly.tsx'
import { useTyping } from '../compose/use-typing.ts'
import { nameOf } from '../conversation-name.ts'
import { KeptNotice } from '../dates/KeptNotice.tsx'
import { shownOf } from '../message-window.ts'
import { MessageList } from '../messages/MessageList.tsx'
import { useTidyConversation } from '../messages.mutations.ts'
import { ConversationHeader } from './ConversationHeader.tsx'

interface Props {
  open: OpenConversation
  viewer: User
  renderPing: (pingId: PingId) => ReactNode
  renderPins: (userId: UserId) => ReactNode
  isPingOwner: boolean | undefined
  onClose: () => void
}

export function Conversation({ open, viewer, renderPing, renderPins, isPingOwner, onClose }: Props) {
  const { conversation } = open
  const { typing, publishTyping } = useTyping(open, viewer)
  useTitle(nameOf(conversation))
  useTidyConversation(conversation.id)
  const canSend = useIsMessageable(open)
  const [replyTo, setReplyTo] = useState<Message | null>(null)
  const [edited, setEdited] = useState<Message | null>(null)
  /** Each new number moves the focus to the composer. */
  const [focusCount, setFocusCount] = useState(0)
  const quoted = replyTo && currentOf(open, replyTo)
  return (
    <Box
      component="section"
      aria-label={nameOf(conversation)}
      sx={{ position: 'absolute', inset: 0, display: 'flex', flexDirection: 'column', minHeight: 0 }}
    >
      <GlobalStyles styles={keyboardStyles} />
      <ConversationHeader
        conversation={conversation}
        viewer={viewer}
        renderPing={renderPing}
        renderPins={renderPins}
        isPingOwner={isPingOwner}
        onClose={onClose}
      />
      <MessageList
        open={open}
        viewer={viewer}
        typing={typing}
        canSend={canSend}
        editedId={edited?.id}
        onReply={setReplyTo}
        onEdit={setEdited}
        onCompose={() => setFocusCount((count) => count + 1)}
      />
      <KeptNotice conversation={conversation} viewerId={viewer.id} />
      {!canSend ? (
        <FriendsOnly />
      ) : edited !== null && currentOf(open, edited) !== null ? (
        <EditComposer
          key={edited.id}
          message={edited}
          viewer={viewer}
          focusCount={focusCount}
          onDone={() => setEdited(null)}
        />
      ) : (
        <Composer
          conversationId={conversation.id}
          viewer={viewer}
          replyTo={quoted}
          focusCount={focusCount}
          onReplied={() => setReplyTo(null)}
          onTyping={publishTyping}
        />
      )}
      <OpenPhoto messages={shownOf(open).messages} />
    </Box>
  )
}

/** Returns the message as it is now; null if it was deleted. */
function currentOf(open: OpenConversation, message: Message): Message | null {
  return open.erased.includes(message.id) ? null : (findMessage(open, message.id) ?? message)
}

/**
 * On a phone whose keyboard is open, the bars of the app are hidden to leave space for the messages. The height of the window
 * decides and not the focus, because bars that appear between press and release would move the pressed button.
 */
const keyboardStyles = {
  '@media (max-width: 599.95px) and (max-height: 540px)': {
    ':root:root': { '--top-bar': 'var(--sat)', '--bottom-bar': '0px' },
    '[data-bar="top"]': { border: 0 },
    '[data-bar="top"] > *, [data-bar="banner"], [data-bar="bottom"]': { display: 'none !important' },
  },
} as const

/** A direct conversation stays readable after the friendship has ended, but takes no new messages. */
function useIsMessageable({ conversation }: OpenConversation): boolean {
  const { data: friends } = useQuery(friendsQuery())
  if (conversation.type === 'group') return true
  const { direct_participant } = conversation
  if (direct_participant === null) return false
  return friends?.some(({ user_id }) => user_id === direct_participant.user_id) ?? true
}
