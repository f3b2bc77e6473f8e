import type { PingStatus, ShownPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { shortTime } from '../../ui/format-time.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

type CreatedPing = Pick<ShownPing, 'created_at' | 'activates_at' | 'canceled_at'>

/** When the ping was created and, if it was scheduled, activated. */
export function PingHistory({ ping, status }: { ping: CreatedPing; status: PingStatus }) {
  const nowMs = useServerNow(60_000)
  return (
    <Box sx={{ display: 'grid', gap: 0.5, color: 'text.secondary', typography: 'body2' }}>
      <span>
        {t('pings.created')} <RelativeTime at={ping.created_at} />
      </span>
      {ping.activates_at !== null && status !== 'pending' && !isCanceledBefore(ping.activates_at, ping) && (
        <span>{t('pings.activated', { time: shortTime(ping.activates_at, nowMs) })}</span>
      )}
    </Box>
  )
}

function isCanceledBefore(at: string, { canceled_at }: CreatedPing): boolean {
  return canceled_at !== null && Date.parse(canceled_at) < Date.parse(at)
}
