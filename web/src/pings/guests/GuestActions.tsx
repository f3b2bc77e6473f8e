import type { PingId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { messageOf } from '../../api/api-error.ts'
import { copyText } from '../../device/clipboard.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { StoredGuest } from './guest.rules.ts'
import { useWithdrawGuest } from './guests.api.ts'

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
      showNotice(t('pings.guest.removed'))
    } catch (error) {
      showError(messageOf(error, t('pings.removeResponseFailed')))
    }
  }

  async function handleCopy() {
    try {
      await copyText(`${window.location.origin}/pins/${pingId}#guest=${stored.token}`)
      showNotice(t('pings.guest.copied'))
    } catch {
      showError(t('pings.copyFailed'))
    }
  }

  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {canChange && (
          <Button variant="outlined" onClick={onChange}>
            {t('pings.guest.change')}
          </Button>
        )}
        <LoadingButton variant="outlined" color="error" isWorking={withdrawal.isPending} onClick={handleRemove}>
          {t('pings.guest.removeResponse')}
        </LoadingButton>
      </Box>
      {canChange && stored.isSent && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
          <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 200px' }}>
            {t('pings.guest.saveLink')}
          </Typography>
          <Button onClick={handleCopy}>{t('pings.guest.copyLink')}</Button>
        </Box>
      )}
    </>
  )
}
