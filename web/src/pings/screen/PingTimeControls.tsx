import type { OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { durationText, endTime } from '../../ui/format-time.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useChangePing } from '../pings.mutations.ts'
import { canExtendBy } from '../pings.rules.ts'
import { writeErrorText } from '../view/write-error-text.ts'

/** Extends or ends an active own ping. */
export function PingTimeControls({ ping }: { ping: OwnPing }) {
  const change = useChangePing(ping)
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)
  const choices = pingLimits.extensionsMinutes.filter((minutes) => canExtendBy(minutes, ping))

  function handleExtend(extend_minutes: (typeof choices)[number]) {
    change
      .mutateAsync({ extend_minutes })
      .then(({ expires_at }) => showNotice(t('pings.extended', { time: endTime(expires_at, serverNow()) })))
      .catch((error: unknown) => showError(writeErrorText(error, t('pings.extendFailed'))))
  }

  function handleEnd() {
    setIsAsking(false)
    change
      .mutateAsync({ end: true })
      .then(() => showNotice(t('pings.ended')))
      .catch((error: unknown) => showError(writeErrorText(error, t('pings.endFailed'))))
  }

  return (
    <Box role="group" aria-label={t('pings.addTime')} sx={{ display: 'grid', gap: 1 }}>
      {choices.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('errors.ping_life_exceeded')}
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {choices.map((minutes) => (
          <Button key={minutes} variant="outlined" onClick={() => handleExtend(minutes)}>
            {t('pings.extension', { duration: durationText(minutes) })}
          </Button>
        ))}
        <Button variant="outlined" color="inherit" onClick={() => setIsAsking(true)}>
          {t('pings.endNow')}
        </Button>
      </Box>
      <ConfirmDialog
        open={isAsking}
        title={t('pings.endTitle')}
        text={t('pings.endText')}
        confirmLabel={t('pings.endNow')}
        onConfirm={handleEnd}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  )
}
