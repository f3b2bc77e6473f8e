import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { LinkedText } from '../../ui/linked-text/LinkedText.tsx'
import { isEmojiOnly } from './emoji-only.ts'
import { MessageTick, type TickState } from './MessageTick.tsx'

interface Props {
  /** The text of the message, or the caption of its attachment. Empty for an attachment without caption. */
  text: string
  /** The quoted message, at the top. */
  quote?: ReactNode
  /** The photo or the place of the message, above its text. */
  attachment?: ReactNode
  isOwn: boolean
  isEdited: boolean
  startsRun: boolean
  endsRun: boolean
  tick: TickState | null
  onClick: () => void
}

const round = '18px'
const joined = '6px'

export function MessageBubble({ text, quote, attachment, isOwn, isEdited, startsRun, endsRun, tick, onClick }: Props) {
  const isLarge = quote === undefined && attachment === undefined && isEmojiOnly(text)
  const top = startsRun ? round : joined
  const bottom = endsRun ? round : joined
  const marks = (isEdited || tick !== null) && (
    <Box
      component="span"
      sx={{ display: 'inline-block', marginInlineStart: 0.75, whiteSpace: 'nowrap', fontSize: '0.75rem' }}
    >
      {isEdited && t('chat.message.edited')}
      {tick !== null && <MessageTick state={tick} />}
    </Box>
  )
  return (
    // Touch needs the tap. A keyboard shows the same button by focusing it.
    <Box
      data-bubble
      onClick={onClick}
      sx={{
        minWidth: 0,
        // A caption is as wide as its photo.
        ...(attachment !== undefined && { width: 'min-content', maxWidth: '100%' }),
        borderRadius: isOwn ? `${round} ${top} ${bottom} ${round}` : `${top} ${round} ${round} ${bottom}`,
        ...(isLarge
          ? { color: 'text.secondary' }
          : {
              px: 1.75,
              py: 1,
              bgcolor: isOwn ? '#2456E6' : 'divider',
              color: isOwn ? '#fff' : 'text.primary',
            }),
        // A long press opens the menu of the message.
        '@media (pointer: coarse)': { userSelect: 'none', WebkitTouchCallout: 'none' },
      }}
    >
      {quote}
      {attachment}
      {text === '' ? (
        <Box sx={{ textAlign: 'end' }}>{marks}</Box>
      ) : (
        <Box
          component="p"
          dir="auto"
          sx={{
            m: 0,
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            fontSize: isLarge ? '2.5rem' : '1rem',
            lineHeight: isLarge ? 1.2 : 1.4,
          }}
        >
          <LinkedText content={text} />
          {marks}
        </Box>
      )}
    </Box>
  )
}
