import type { Guest, OwnPing, PingStatus } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { writeErrorText } from '../../view/write-error-text.ts'
import { useApproveGuest, useRemoveGuest } from '../guests.api.ts'
import { GuestPolicyControls } from './GuestPolicyControls.tsx'
import { GuestRow } from './GuestRow.tsx'
import { guestsText, orderGuests } from './guest-list.rules.ts'

interface Props {
  ping: OwnPing
  status: PingStatus
}

/** The guests of an own ping, and who may respond with its link. */
export function OwnGuests({ ping, status }: Props) {
  const id = useId()
  const approval = useApproveGuest(ping.id)
  const removal = useRemoveGuest(ping.id)
  const { showError } = useSnackbar()
  const [removed, setRemoved] = useState<Guest | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const isExpired = status === 'expired'

  function handleApprove(guest: Guest) {
    approval
      .mutateAsync(guest)
      .catch((error: unknown) => showError(writeErrorText(error, t('pings.guestList.approveFailed'))))
  }

  function handleAsk(guest: Guest) {
    setRemoved(guest)
    setIsAsking(true)
  }

  function handleRemove() {
    setIsAsking(false)
    if (removed === null) return
    removal
      .mutateAsync(removed)
      .catch((error: unknown) => showError(writeErrorText(error, t('pings.guestList.removeFailed'))))
  }

  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gap: 1 }}>
      <Box>
        <Typography id={id} component="h2" variant="subtitle1">
          {t('pings.guestList.title')}
        </Typography>
        <Typography role="status" variant="body2" color="textSecondary">
          {guestsText(ping.guests)}
        </Typography>
      </Box>
      {ping.guests.length > 0 && (
        <Box
          component="ul"
          aria-labelledby={id}
          sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: '16px' }}
        >
          {orderGuests(ping.guests).map((guest) => (
            <GuestRow
              key={guest.id}
              guest={guest}
              canApprove={guest.state === 'waiting' && !isExpired}
              onApprove={() => handleApprove(guest)}
              onRemove={() => handleAsk(guest)}
            />
          ))}
        </Box>
      )}
      {ping.is_public && !isExpired && <GuestPolicyControls ping={ping} />}
      <ConfirmDialog
        open={isAsking}
        title={t('pings.guestList.removeTitle', { name: removed?.name ?? '' })}
        text={t('pings.guestList.removeText')}
        confirmLabel={t('pings.guestList.remove')}
        onConfirm={handleRemove}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  )
}
