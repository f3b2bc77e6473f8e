import DoneAllRounded from '@mui/icons-material/DoneAllRounded'
import DoneRounded from '@mui/icons-material/DoneRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import { t } from '../../i18n/translate.ts'

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
      titleAccess={t(`chat.message.states.${state}`)}
      sx={{ fontSize: 16, marginInlineStart: 0.5, mb: '-3px', opacity: 0.9 }}
    />
  )
}
