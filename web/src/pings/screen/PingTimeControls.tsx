import type { OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { serverNow } from '../../api/server-time.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { durationText, endTime } from '../../ui/format-time.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useChangePing } from '../pings.mutations.ts'
import { canExtendBy } from '../pings.rules.ts'
import { pingDetailsStrings } from '../view/strings.ts'
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
      .then(({ expires_at }) => showNotice(pingDetailsStrings.extended(endTime(expires_at, serverNow()))))
      .catch((error: unknown) => showError(writeErrorText(error, pingDetailsStrings.extendFailed)))
  }

  function handleEnd() {
    setIsAsking(false)
    change
      .mutateAsync({ end: true })
      .then(() => showNotice(pingDetailsStrings.ended))
      .catch((error: unknown) => showError(writeErrorText(error, pingDetailsStrings.endFailed)))
  }

  return (
    <Box role="group" aria-label={pingDetailsStrings.addTime} sx={{ display: 'grid', gap: 1 }}>
      {choices.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {pingDetailsStrings.lifeReached}
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {choices.map((minutes) => (
          <Button key={minutes} variant="outlined" onClick={() => handleExtend(minutes)}>
            {pingDetailsStrings.extension(durationText(minutes))}
          </Button>
        ))}
        <Button variant="outlined" color="inherit" onClick={() => setIsAsking(true)}>
          {pingDetailsStrings.endNow}
        </Button>
      </Box>
      <ConfirmDialog
        open={isAsking}
        title={pingDetailsStrings.endTitle}
        text={pingDetailsStrings.endText}
        confirmLabel={pingDetailsStrings.endNow}
        onConfirm={handleEnd}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  )
}
