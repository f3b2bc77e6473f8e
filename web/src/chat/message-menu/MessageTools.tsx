import type { UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { findMessage, type OpenConversation } from '../chat-changes.ts'
import { withText } from '../messages/message-text.ts'
import { putReaction } from '../outbox/message-outbox.ts'
import type { PendingChanges } from '../outbox/outbox-items.ts'
import { emojiOf, withoutBlocked, withPendingReaction } from '../reactions/reaction-groups.ts'
import type { MessageToolsState } from './use-message-tools.ts'

const MessageMenu = lazyComponent(async () => (await import('./MessageMenu.tsx')).MessageMenu)
const EmojiPicker = lazyComponent(async () => {
  const [{ EmojiPicker }, { nameEmoji }] = await Promise.all([
    import('../reactions/EmojiPicker.tsx'),
    import('../reactions/emoji-search.ts'),
  ])
  await nameEmoji()
  return EmojiPicker
})
const ReactionsSheet = lazyComponent(async () => (await import('../reactions/ReactionsSheet.tsx')).ReactionsSheet)

interface Props {
  tools: MessageToolsState
  open: OpenConversation
  pending: PendingChanges
  blocked: ReadonlySet<UserId>
  viewer: User
  canSend: boolean
  nameOf: (userId: UserId | null, username: string) => string
  onReply: (message: Message) => void
  onEdit: (message: Message) => void
  onCompose: () => void
}

/** The menu, the choice of a reaction and the list of reactions for one message. Their code is loaded on first use. */
export function MessageTools(props: Props) {
  const { tools, open, pending, blocked, viewer, canSend, nameOf, onReply, onEdit, onCompose } = props
  const { tool } = tools
  if (tool === null) return null
  // Changes that arrive while it is open are shown.
  const current = findMessage(open, tool.message.id) ?? tool.message
  const edit = pending.edits.get(current.id)
  const edited = edit?.state === 'waiting' ? withText(current, edit.content) : current
  const { message } = withPendingReaction({ message: edited }, pending.reactions, viewer.id)
  const ownEmoji = emojiOf(message.reactions, viewer.id)

  /** The same emoji again removes the reaction. */
  function handleReact(emoji: string) {
    tools.close()
    void putReaction(viewer.id, message, emoji === ownEmoji ? null : emoji)
  }

  return (
    <>
      <MessageMenu
        open={tools.isOpen('menu') || tools.isOpen('quick')}
        isQuick={tool.name === 'quick'}
        anchor={tool.anchor}
        message={message}
        ownEmoji={ownEmoji}
        conversation={open.conversation}
        viewer={viewer}
        canSend={canSend}
        onReact={handleReact}
        onMoreEmoji={() => tools.openPicker(message)}
        onReply={() => onReply(message)}
        onEdit={() => onEdit(message)}
        onCompose={onCompose}
        onClose={tools.close}
      />
      <EmojiPicker
        open={tools.isOpen('picker')}
        ownEmoji={ownEmoji}
        onChoose={handleReact}
        onClose={tools.close}
        onExited={() => tool.anchor?.focus()}
      />
      <ReactionsSheet
        open={tools.isOpen('reactions')}
        message={message}
        groups={withoutBlocked(message.reactions, blocked)}
        participants={open.conversation.participants}
        viewerId={viewer.id}
        nameOf={nameOf}
        onRemove={() => handleReact(ownEmoji ?? '')}
        onClose={tools.close}
      />
    </>
  )
}
