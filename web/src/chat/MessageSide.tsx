import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { clockTime, exactTime } from '../ui/time-words.ts'
import { messageStrings } from './strings.ts'

interface Props {
  at: string
  onMenu?: (anchor: HTMLElement) => void
}

/** Beside a bubble, for whoever points at it. */
export function MessageSide({ at, onMenu }: Props) {
  return (
    <Box className="side" sx={{ display: 'flex', alignItems: 'center', alignSelf: 'center', flexShrink: 0 }}>
      {onMenu && (
        <IconButton
          size="small"
          title={messageStrings.options}
          onClick={(event) => onMenu(event.currentTarget)}
          sx={{ minWidth: 28, minHeight: 28, p: 0.5 }}
        >
          <MoreVertRounded sx={{ fontSize: 18 }} />
        </IconButton>
      )}
      <Box
        component="time"
        dateTime={at}
        title={exactTime(at)}
        sx={{ fontSize: '0.75rem', color: 'text.secondary', whiteSpace: 'nowrap' }}
      >
        {clockTime(at)}
      </Box>
    </Box>
  )
}
