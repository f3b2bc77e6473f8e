import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { writeErrorText } from '../../view/write-error-text.ts'
import { useChangeGuestPolicy } from '../guests.api.ts'
import { GuestPolicyDialog } from './GuestPolicyDialog.tsx'

/** Stops and allows new responses. */
export function GuestPolicyControls({ ping }: { ping: OwnPing }) {
  const change = useChangeGuestPolicy(ping)
  const { showError } = useSnackbar()
  const [isChoosing, setIsChoosing] = useState(false)
  const isOff = ping.guest_policy === 'off'

  function handleStop() {
    change
      .mutateAsync({ policy: 'off', updatedAt: ping.updated_at })
      .catch((error: unknown) => showError(writeErrorText(error, t('pings.guestPolicy.changeFailed'))))
  }

  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {t('pings.guestPolicy.title')}: {t(`pings.guestPolicy.policies.${ping.guest_policy}`)}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {!isOff && (
          <LoadingButton variant="outlined" color="inherit" isWorking={change.isPending} onClick={handleStop}>
            {t('pings.guestPolicy.stop')}
          </LoadingButton>
        )}
        <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
          {isOff ? t('pings.guestPolicy.allow') : t('pings.guestPolicy.change')}
        </Button>
      </Box>
      <GuestPolicyDialog open={isChoosing} ping={ping} onClose={() => setIsChoosing(false)} />
    </>
  )
}
