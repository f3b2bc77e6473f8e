import { type ConversationId } from '@hither/contract/ids.ts'
import { messageLimits } from '@hither/contract/messages.ts'
import { type User } from '@hither/contract/users.ts'
import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import IconButton from '@mui/material/IconButton'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { serverNow } from '../api/server-time.ts'
import { useHeight } from '../ui/use-height.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { putIntoOutbox } from './outbox.ts'
import { messageStrings } from './strings.ts'

interface Props {
  conversationId: ConversationId
  viewer: User
  onTyping: () => void
}

/** The count appears when it begins to matter. */
const showCountFrom = messageLimits.contentMax - 200

export function Composer({ conversationId, viewer, onTyping }: Props) {
  const [text, setText] = useState(() => draftOf(viewer.id, conversationId))
  const field = useRef<HTMLTextAreaElement>(null)
  const [bar, barPx] = useHeight<HTMLFormElement>()
  const content = text.trim()
  const length = content.length < showCountFrom ? 0 : Array.from(content).length
  const isTooLong = length > messageLimits.contentMax
  const canSend = content !== '' && !isTooLong

  function handleChange(value: string) {
    setText(value)
    keepDraft(viewer.id, conversationId, value)
    if (value.trim() !== '') onTyping()
  }

  function handleSubmit(event: SubmitEvent | KeyboardEvent) {
    event.preventDefault()
    field.current?.focus()
    if (!canSend) return
    putIntoOutbox({
      client_id: crypto.randomUUID(),
      conversation_id: conversationId,
      content,
      created_at: new Date(serverNow()).toISOString(),
      state: 'waiting',
    })
    setText('')
    keepDraft(viewer.id, conversationId, '')
  }

  function handleKey(event: KeyboardEvent) {
    // Enter also ends the composition of a character, which sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    handleSubmit(event)
  }

  return (
    <Box
      component="form"
      ref={bar}
      onSubmit={handleSubmit}
      sx={{
        display: 'flex',
        alignItems: 'flex-end',
        gap: 1,
        flexShrink: 0,
        px: 'max(12px, var(--sal))',
        py: 1,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {/* Messages of the app appear above it. */}
      <GlobalStyles styles={{ ':root': { '--composer': `${barPx}px` } }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <InputBase
          multiline
          maxRows={6}
          value={text}
          onChange={(event) => handleChange(event.target.value)}
          onKeyDown={handleKey}
          placeholder={messageStrings.placeholder}
          inputRef={field}
          fullWidth
          inputProps={{
            'aria-label': messageStrings.placeholder,
            'aria-invalid': isTooLong,
            dir: 'auto',
            enterKeyHint: 'send',
          }}
          sx={{
            minHeight: 44,
            px: 2,
            py: 1,
            borderRadius: '22px',
            bgcolor: 'background.default',
            border: 1,
            borderColor: isTooLong ? 'error.main' : 'divider',
            '&.Mui-focused': { borderColor: isTooLong ? 'error.main' : 'primary.main' },
            '& textarea::placeholder': { color: 'text.secondary', opacity: 1 },
          }}
        />
        {length > 0 && (
          <Typography
            variant="body2"
            role="status"
            color={isTooLong ? 'error' : 'textSecondary'}
            sx={{ px: 2, pt: 0.5 }}
          >
            {messageStrings.tooLong(length)}
          </Typography>
        )}
      </Box>
      <IconButton
        type="submit"
        title={messageStrings.send}
        aria-disabled={!canSend}
        sx={{
          flexShrink: 0,
          bgcolor: canSend ? 'primary.main' : 'action.disabledBackground',
          color: canSend ? 'primary.contrastText' : 'text.secondary',
          '&:hover': { bgcolor: canSend ? 'primary.dark' : 'action.disabledBackground' },
        }}
      >
        <SendRounded />
      </IconButton>
    </Box>
  )
}
