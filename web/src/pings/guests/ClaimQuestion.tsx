import type { PingId } from '@hither/contract/ids.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { isGuestGone, type StoredGuest, withoutResponse } from './guest.rules.ts'
import { guestQuery, useClaimGuest } from './guests.api.ts'
import { storeGuest } from './stored-guests.ts'

/** Asks whether the response of this device becomes that of the account, if the server still has it. */
export function ClaimQuestion({ pingId, stored }: { pingId: PingId; stored: StoredGuest }) {
  const { token } = stored
  const view = useQuery(guestQuery(pingId, token))
  const claim = useClaimGuest(pingId)
  const { showError, showNotice } = useSnackbar()
  const [isPutOff, setIsPutOff] = useState(false)

  const isGone = isGuestGone(view.error)
  useEffect(() => {
    if (isGone) storeGuest(pingId, withoutResponse(stored, stored.expires_at))
  }, [isGone, pingId, stored])

  async function handleMove() {
    try {
      await claim.mutateAsync(token)
      showNotice(t('pings.guest.moved'))
    } catch (error) {
      if (isGuestGone(error)) storeGuest(pingId, withoutResponse(stored, stored.expires_at))
      showError(messageOf(error, t('pings.guest.moveFailed')))
    }
  }

  if (view.data === undefined || isPutOff) return null
  return (
    <Alert severity="info" role="region" aria-label={t('pings.guest.move')}>
      {t('pings.guest.claimQuestion', { name: view.data.guest.name })}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
        <LoadingButton variant="contained" isWorking={claim.isPending} onClick={handleMove}>
          {t('pings.guest.move')}
        </LoadingButton>
        <Button variant="outlined" onClick={() => setIsPutOff(true)}>
          {t('pings.guest.notNow')}
        </Button>
      </Box>
    </Alert>
  )
}
