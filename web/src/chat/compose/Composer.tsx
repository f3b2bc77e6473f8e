import type { ConversationId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import ReplyRounded from '@mui/icons-material/ReplyRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import { useEffect, useRef, useState } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { newId } from '../../device/ids.ts'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import type { NamedPlace } from '../../map/places/shown-place.ts'
import { AttachButton } from '../attachments/AttachButton.tsx'
import { senderNameOf, textOfQuote } from '../messages/message-text.ts'
import { putIntoOutbox } from '../outbox/message-outbox.ts'
import { quoteOf } from '../quotes.ts'
import { ComposeBar } from './ComposeBar.tsx'
import { ComposerForm, isTooLong } from './ComposerForm.tsx'
import { draftOf, saveDraft } from './drafts.ts'

interface Props {
  conversationId: ConversationId
  viewer: User
  /** The message that the next one replies to. */
  replyTo: Message | null
  /** Each new number moves the focus to the field. */
  focusCount: number
  onReplied: () => void
  onTyping: () => void
}

export function Composer({ conversationId, viewer, replyTo, focusCount, onReplied, onTyping }: Props) {
  const [text, setText] = useState(() => draftOf(viewer.id, conversationId))
  const field = useRef<HTMLTextAreaElement>(null)
  const content = text.trim()
  const replyToId = replyTo?.id

  useEffect(() => {
    if (replyToId !== undefined || focusCount > 0) field.current?.focus()
  }, [replyToId, focusCount])

  function handleChange(value: string) {
    setText(value)
    saveDraft(viewer.id, conversationId, value)
    if (value.trim() !== '') onTyping()
  }

  function handleSubmit() {
    const stored = putIntoOutbox(viewer.id, {
      client_id: newId(),
      conversation_id: conversationId,
      content,
      created_at: new Date(serverNow()).toISOString(),
      state: 'waiting',
      ...(replyTo !== null && { reply_to: quoteOf(replyTo) }),
    })
    setText('')
    onReplied()
    void stored.then(() => {
      // The user may have begun the next message.
      if (draftOf(viewer.id, conversationId).trim() === content) saveDraft(viewer.id, conversationId, '')
    })
  }

  function handlePlace(place: NamedPlace) {
    void putIntoOutbox(viewer.id, {
      client_id: newId(),
      conversation_id: conversationId,
      content: '',
      place,
      created_at: new Date(serverNow()).toISOString(),
      state: 'waiting',
      ...(replyTo !== null && { reply_to: quoteOf(replyTo) }),
    })
    onReplied()
  }

  return (
    <ComposerForm
      start={
        <AttachButton
          conversationId={conversationId}
          viewer={viewer}
          replyTo={replyTo}
          onPlace={handlePlace}
          onPhoto={onReplied}
        />
      }
      bar={
        replyTo !== null && (
          <ComposeBar
            icon={<ReplyRounded sx={mirrored} />}
            title={
              replyTo.sender_id === viewer.id
                ? t('chat.compose.replyingToYourself')
                : t('chat.compose.replyingTo', { name: senderNameOf(replyTo) })
            }
            excerpt={textOfQuote(quoteOf(replyTo))}
            closeLabel={t('chat.compose.cancelReply')}
            onClose={onReplied}
          />
        )
      }
      text={text}
      label={t('chat.message.placeholder')}
      field={field}
      submitTitle={t('chat.message.send')}
      submitIcon={<SendRounded sx={mirrored} />}
      canSubmit={content !== '' && !isTooLong(content)}
      onChange={handleChange}
      onSubmit={handleSubmit}
      {...(replyTo !== null && { onEscape: onReplied })}
    />
  )
}
