import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { writeErrorText } from '../../view/write-error-text.ts'
import { useChangeGuestPolicy } from '../guests.api.ts'
import { GuestPolicyDialog } from './GuestPolicyDialog.tsx'
import { guestPolicyStrings as strings } from './strings.ts'

/** Stops and allows new responses. */
export function GuestPolicyControls({ ping }: { ping: OwnPing }) {
  const change = useChangeGuestPolicy(ping)
  const { showError } = useSnackbar()
  const [isChoosing, setIsChoosing] = useState(false)
  const isOff = ping.guest_policy === 'off'

  function handleStop() {
    change
      .mutateAsync({ policy: 'off', updatedAt: ping.updated_at })
      .catch((error: unknown) => showError(writeErrorText(error, strings.changeFailed)))
  }

  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {strings.title}: {strings.policies[ping.guest_policy]}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {!isOff && (
          <LoadingButton variant="outlined" color="inherit" isWorking={change.isPending} onClick={handleStop}>
            {strings.stop}
          </LoadingButton>
        )}
        <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
          {isOff ? strings.allow : strings.change}
        </Button>
      </Box>
      <GuestPolicyDialog open={isChoosing} ping={ping} onClose={() => setIsChoosing(false)} />
    </>
  )
}
