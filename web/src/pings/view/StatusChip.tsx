import type { PingStatus } from '@hither/contract/pings.ts'
import Chip from '@mui/material/Chip'
import { t } from '../../i18n/translate.ts'

const appearance = {
  active: { color: 'primary', variant: 'filled' },
  pending: { color: 'default', variant: 'filled' },
  expired: { color: 'default', variant: 'outlined' },
} as const

interface Props {
  status: PingStatus
  isCanceled?: boolean
}

export function StatusChip({ status, isCanceled = false }: Props) {
  return (
    <Chip size="small" label={isCanceled ? t('pings.canceled') : t(`pings.status.${status}`)} {...appearance[status]} />
  )
}
