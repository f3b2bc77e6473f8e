import type { GuestPolicy, OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { isOpenToAnyone, offeredPolicy } from '../../create/place-privacy.rules.ts'
import { findCached } from '../../pings.cache.ts'
import { writeErrorText } from '../../view/write-error-text.ts'
import { useChangeGuestPolicy } from '../guests.api.ts'
import { GuestPolicyField } from './GuestPolicyField.tsx'
import { countWaiting } from './guest-list.rules.ts'

interface Props {
  open: boolean
  ping: OwnPing
  onClose: () => void
}

export function GuestPolicyDialog({ open, ping, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      slotProps={{ paper: { 'aria-label': t('pings.guestPolicy.title') } }}
    >
      <PolicyForm ping={ping} onClose={onClose} />
    </Dialog>
  )
}

/** Mounted while the dialog is open, so that it starts with the current choice. */
function PolicyForm({ ping, onClose }: Omit<Props, 'open'>) {
  const change = useChangeGuestPolicy(ping)
  const queryClient = useQueryClient()
  const { showError } = useSnackbar()
  const [policy, setPolicy] = useState<GuestPolicy>(
    ping.guest_policy === 'off' ? offeredPolicy(ping) : ping.guest_policy,
  )
  const [updatedAt, setUpdatedAt] = useState(ping.updated_at)
  const waiting = countWaiting(ping.guests)

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (change.isPending) return
    try {
      await change.mutateAsync({ policy, updatedAt })
      onClose()
    } catch (error) {
      showError(writeErrorText(error, t('pings.guestPolicy.changeFailed')))
      const latest = findCached(queryClient, ping.id)
      if (latest) setUpdatedAt(latest.updated_at)
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 1.5 }}>
        <GuestPolicyField value={policy} onChange={setPolicy} />
        <Typography role="status" variant="body2" sx={{ fontWeight: 600 }}>
          {policy === 'open' && waiting > 0 && t('pings.guestPolicy.alsoApproves', { count: waiting })}
        </Typography>
        <Typography role="status" variant="body2" color="warning" sx={{ fontWeight: 600 }}>
          {isOpenToAnyone({ exactPlaceFor: ping.exact_place_for, isPublic: ping.is_public, guestPolicy: policy }) &&
            t('pings.placePrivacy.openToAnyone')}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={change.isPending}>
          {t('pings.guestPolicy.save')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
