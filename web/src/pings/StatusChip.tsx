import { type PingStatus } from '@hither/contract/pings.ts'
import Chip from '@mui/material/Chip'
import { pingStrings } from './strings.ts'

const looks = {
  active: { color: 'primary', variant: 'filled' },
  pending: { color: 'default', variant: 'filled' },
  expired: { color: 'default', variant: 'outlined' },
} as const

export function StatusChip({ status }: { status: PingStatus }) {
  return <Chip size="small" label={pingStrings.status[status]} {...looks[status]} />
}
