import type { PingId } from '@hither/contract/ids.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../i18n/translate.ts'
import { isGuestGone } from './guest.rules.ts'
import { guestQuery } from './guests.api.ts'
import { adoptToken, closeToken, useStoredGuest } from './stored-guests.ts'

/** Asks whether the response of an opened link replaces the one of this device. */
export function ReplaceGuest({ pingId, token }: { pingId: PingId; token: string }) {
  const stored = useStoredGuest(pingId)
  const opened = useQuery(guestQuery(pingId, token))
  if (isGuestGone(opened.error))
    return (
      <Alert severity="warning" onClose={() => closeToken(pingId)}>
        {t('errors.guest_not_found')}
      </Alert>
    )
  if (stored === undefined || opened.data === undefined) return null
  return (
    <Alert severity="info" role="status">
      {t('pings.guest.replaceQuestion', { name: stored.unsent?.name ?? stored.name })}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
        <Button variant="outlined" onClick={() => closeToken(pingId)}>
          {t('pings.guest.keep')}
        </Button>
        <Button variant="contained" onClick={() => adoptToken(pingId, token)}>
          {t('pings.guest.replace')}
        </Button>
      </Box>
    </Alert>
  )
}
