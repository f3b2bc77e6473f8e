import DoneAllRounded from '@mui/icons-material/DoneAllRounded'
import DoneRounded from '@mui/icons-material/DoneRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import { messageStrings } from '../strings.ts'

const icons = {
  waiting: ScheduleRounded,
  failed: ErrorOutlineRounded,
  sent: DoneRounded,
  read: DoneAllRounded,
} as const

export type TickState = keyof typeof icons

export function MessageTick({ state }: { state: TickState }) {
  const Icon = icons[state]
  return (
    <Icon
      titleAccess={messageStrings.states[state]}
      sx={{ fontSize: 16, marginInlineStart: 0.5, mb: '-3px', opacity: 0.9 }}
    />
  )
}
