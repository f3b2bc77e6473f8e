import type { ServiceStatus } from '@hither/contract/moderation.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { clockTime, nearDay } from '../../ui/format-time.ts'
import { statusQuery } from '../admin.api.ts'

/** Whether there are backups, and who could read them. `ServerFigures` shows the errors of the same query. */
export function BackupsCard() {
  const { data: status } = useQuery(statusQuery())
  const nowMs = useServerNow(60_000)
  const id = useId()
  // A server of an earlier version says nothing about backups.
  if (status?.backups === undefined) return null
  const { backups } = status
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} component="h2" variant="h6" sx={{ mb: 1.5 }}>
        {t('admin.backups.title')}
      </Typography>
      <Card sx={{ p: 2 }}>
        <Typography>{scheduleText(backups, nowMs)}</Typography>
        {(backups.is_on || backups.newest_at !== null) && <Encryption backups={backups} />}
      </Card>
    </Box>
  )
}

type Backups = NonNullable<ServiceStatus['backups']>

function scheduleText({ is_on, keep_days, newest_at }: Backups, nowMs: number): string {
  if (!is_on) return t('admin.backups.off')
  if (newest_at === null) return t('admin.backups.nightlyNone', { days: keep_days })
  return t('admin.backups.nightly', { days: keep_days, day: nearDay(newest_at, nowMs), time: clockTime(newest_at) })
}

function Encryption({ backups: { is_encrypted, unencrypted_count } }: { backups: Backups }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  if (is_encrypted)
    return (
      <>
        <Typography sx={{ mt: 1 }}>{t('admin.backups.encrypted')}</Typography>
        {unencrypted_count > 0 && (
          <Typography sx={{ mt: 1 }}>{t('admin.backups.olderUnencrypted', { count: unencrypted_count })}</Typography>
        )}
      </>
    )
  return (
    <>
      <Typography sx={{ mt: 1 }}>{t('admin.backups.unencrypted')}</Typography>
      <Button
        variant="outlined"
        size="small"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        sx={{ mt: 1.5 }}
      >
        {t('admin.backups.howTo')}
      </Button>
      {isOpen && (
        <Box component="ol" id={id} sx={{ my: 1, paddingInlineStart: 3, overflowWrap: 'anywhere' }}>
          <li>{t('admin.backups.howToRun', { command: 'npm run backup-key' })}</li>
          <li>{t('admin.backups.howToStore')}</li>
          <li>{t('admin.backups.howToSet', { setting: 'BACKUP_RECIPIENT' })}</li>
        </Box>
      )}
    </>
  )
}
