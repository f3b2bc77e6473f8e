import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import IconButton from '@mui/material/IconButton'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import type { KeyboardEvent, ReactNode, RefObject, SubmitEvent } from 'react'
import { pressedKey } from '../../ui/pressed-key.ts'
import { useHeight } from '../../ui/use-height.ts'

interface Props {
  /** Above the field, for example the message that is replied to. */
  bar?: ReactNode
  /** Before the field. */
  start?: ReactNode
  text: string
  label: string
  field: RefObject<HTMLTextAreaElement | null>
  submitTitle: string
  submitIcon: ReactNode
  canSubmit: boolean
  /** Whether leaving the page would lose the text, see `hasUnsavedInput`. */
  isUnsaved?: boolean
  /** Why the text was refused. */
  error?: string | null
  onChange: (text: string) => void
  onSubmit: () => void
  onEscape?: () => void
}

/** The counter is shown for the last 200 characters. */
const showCountFrom = messageLimits.contentMax - 200

export function isTooLong(content: string): boolean {
  return lengthOf(content) > messageLimits.contentMax
}

/** The field at the bottom of a conversation, with its button. */
export function ComposerForm(props: Props) {
  const { bar, start, text, label, field, submitTitle, submitIcon, canSubmit, error = null } = props
  const [box, boxPx] = useHeight<HTMLFormElement>()
  const length = lengthOf(text.trim())
  const isInvalid = length > messageLimits.contentMax || error !== null

  function handleSubmit(event: SubmitEvent | KeyboardEvent) {
    event.preventDefault()
    field.current?.focus()
    if (canSubmit) props.onSubmit()
  }

  function handleKey(event: KeyboardEvent) {
    const key = pressedKey(event)
    if (key === 'Escape' && props.onEscape !== undefined) {
      event.preventDefault()
      return props.onEscape()
    }
    if (key !== 'Enter' || event.shiftKey) return
    handleSubmit(event)
  }

  return (
    <Box
      component="form"
      ref={box}
      onSubmit={handleSubmit}
      data-unsaved={props.isUnsaved || undefined}
      sx={{
        flexShrink: 0,
        px: 'max(12px, var(--sal))',
        py: 1,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {/* Snackbars appear above the composer. */}
      <GlobalStyles styles={{ ':root': { '--composer': `${boxPx}px` } }} />
      {bar}
      <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 1 }}>
        {start}
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <InputBase
            multiline
            maxRows={6}
            value={text}
            onChange={(event) => props.onChange(event.target.value)}
            onKeyDown={handleKey}
            placeholder={label}
            inputRef={field}
            fullWidth
            inputProps={{ 'aria-label': label, 'aria-invalid': isInvalid, dir: 'auto', enterKeyHint: 'send' }}
            sx={{
              minHeight: 44,
              px: 2,
              py: 1,
              borderRadius: '22px',
              bgcolor: 'background.default',
              border: 1,
              borderColor: isInvalid ? 'error.main' : 'divider',
              '&.Mui-focused': { borderColor: isInvalid ? 'error.main' : 'primary.main' },
              '& textarea::placeholder': { color: 'text.secondary', opacity: 1 },
            }}
          />
          {length > 0 && (
            <Typography
              variant="body2"
              role="status"
              color={length > messageLimits.contentMax ? 'error' : 'textSecondary'}
              sx={{ px: 2, pt: 0.5 }}
            >
              {`${length}/${messageLimits.contentMax}`}
            </Typography>
          )}
          {error !== null && (
            <Typography variant="body2" role="alert" color="error" sx={{ px: 2, pt: 0.5 }}>
              {error}
            </Typography>
          )}
        </Box>
        <IconButton
          type="submit"
          title={submitTitle}
          aria-disabled={!canSubmit}
          sx={{
            flexShrink: 0,
            bgcolor: canSubmit ? 'primary.main' : 'action.disabledBackground',
            color: canSubmit ? 'primary.contrastText' : 'text.secondary',
            '&:hover': { bgcolor: canSubmit ? 'primary.dark' : 'action.disabledBackground' },
          }}
        >
          {submitIcon}
        </IconButton>
      </Box>
    </Box>
  )
}

/** In code points; 0 for a text that is far from the limit. */
function lengthOf(content: string): number {
  return content.length < showCountFrom ? 0 : Array.from(content).length
}
