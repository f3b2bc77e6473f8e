import Box from '@mui/material/Box'
import { MessageText } from './MessageText.tsx'
import { MessageTick, type TickState } from './MessageTick.tsx'
import { isEmojiOnly } from './message-text.ts'

interface Props {
  content: string
  isOwn: boolean
  startsRun: boolean
  endsRun: boolean
  tick: TickState | null
  onClick: () => void
}

const round = '18px'
const joined = '6px'

export function MessageBubble({ content, isOwn, startsRun, endsRun, tick, onClick }: Props) {
  const isLarge = isEmojiOnly(content)
  const top = startsRun ? round : joined
  const bottom = endsRun ? round : joined
  return (
    // Only a finger needs the tap; the keyboard shows the same by focusing the button beside it.
    <Box
      onClick={onClick}
      sx={{
        maxWidth: { xs: '76%', sm: '70%' },
        minWidth: 0,
        borderRadius: isOwn ? `${round} ${top} ${bottom} ${round}` : `${top} ${round} ${round} ${bottom}`,
        ...(isLarge
          ? { color: 'text.secondary' }
          : {
              px: 1.75,
              py: 1,
              bgcolor: isOwn ? '#2456E6' : 'divider',
              color: isOwn ? '#fff' : 'text.primary',
            }),
      }}
    >
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
        <MessageText content={content} />
        {tick !== null && <MessageTick state={tick} />}
      </Box>
    </Box>
  )
}
