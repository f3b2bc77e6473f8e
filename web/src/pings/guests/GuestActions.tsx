import type { PingId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { messageOf } from '../../api/api-error.ts'
import { copyText } from '../../device/clipboard.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { pingStrings } from '../strings.ts'
import { pingDetailsStrings } from '../view/strings.ts'
import type { StoredGuest } from './guest.rules.ts'
import { useWithdrawGuest } from './guests.api.ts'
import { guestStrings } from './strings.ts'

interface Props {
  pingId: PingId
  stored: StoredGuest
  canChange: boolean
  onChange: () => void
}

/** Changes or removes the response of this device, and copies the link for another one. */
export function GuestActions({ pingId, stored, canChange, onChange }: Props) {
  const withdrawal = useWithdrawGuest(pingId)
  const { showError, showNotice } = useSnackbar()

  async function handleRemove() {
    try {
      await withdrawal.mutateAsync()
      showNotice(guestStrings.removed)
    } catch (error) {
      showError(messageOf(error, pingStrings.removeResponseFailed))
    }
  }

  async function handleCopy() {
    try {
      await copyText(`${window.location.origin}/pins/${pingId}#guest=${stored.token}`)
      showNotice(guestStrings.copied)
    } catch {
      showError(pingDetailsStrings.copyFailed)
    }
  }

  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {canChange && (
          <Button variant="outlined" onClick={onChange}>
            {guestStrings.change}
          </Button>
        )}
        <LoadingButton variant="outlined" color="error" isWorking={withdrawal.isPending} onClick={handleRemove}>
          {guestStrings.removeResponse}
        </LoadingButton>
      </Box>
      {canChange && stored.isSent && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
          <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 200px' }}>
            {guestStrings.saveLink}
          </Typography>
          <Button onClick={handleCopy}>{guestStrings.copyLink}</Button>
        </Box>
      )}
    </>
  )
}
