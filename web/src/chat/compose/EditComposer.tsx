import type { Message } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import CheckRounded from '@mui/icons-material/CheckRounded'
import EditOutlined from '@mui/icons-material/EditOutlined'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { captionOf } from '../messages/message-text.ts'
import { useSavedEdit } from '../outbox/use-saved-edit.ts'
import { ComposeBar } from './ComposeBar.tsx'
import { ComposerForm, isTooLong } from './ComposerForm.tsx'

interface Props {
  message: Message
  viewer: User
  /** Each new number moves the focus to the field. */
  focusCount: number
  /** Called when the new text is stored, or the viewer has canceled. */
  onDone: () => void
}

/** Replaces the composer while the viewer changes a message. The draft of the composer is stored meanwhile. */
export function EditComposer({ message, viewer, focusCount, onDone }: Props) {
  const before = captionOf(message)
  const [text, setText] = useState(before)
  const field = useRef<HTMLTextAreaElement>(null)
  const { save, isSaving, error, clearError } = useSavedEdit(message, viewer.id, onDone)
  const content = text.trim()
  // The caption of an attachment may become empty.
  const isComplete = content !== '' || message.attachment !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new number moves the focus
  useEffect(() => {
    field.current?.focus()
  }, [focusCount])

  // Once only: the person may have selected a part of the text before the menu has closed and the focus comes back.
  useEffect(() => {
    const { current } = field
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])

  function handleChange(value: string) {
    setText(value)
    clearError()
  }

  return (
    <ComposerForm
      bar={
        <ComposeBar
          icon={<EditOutlined />}
          title={t('chat.compose.editTitle')}
          excerpt={before}
          closeLabel={t('chat.compose.cancel')}
          onClose={onDone}
        />
      }
      text={text}
      label={t('chat.compose.editTitle')}
      field={field}
      submitTitle={t('chat.compose.save')}
      submitIcon={<CheckRounded />}
      canSubmit={isComplete && !isTooLong(content) && !isSaving}
      isUnsaved={content !== before}
      error={error}
      onChange={handleChange}
      onSubmit={() => (content === before ? onDone() : save(content))}
      onEscape={onDone}
    />
  )
}
