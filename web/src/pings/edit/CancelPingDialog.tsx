import type { OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { CountedField } from '../../ui/CountedField.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { lengthOf } from '../../ui/text-length.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { writeErrorText } from '../view/write-error-text.ts'
import { countNotified } from './count-notified.ts'
import { useCancelPing } from './edit-ping.mutations.ts'
import { notifiedText } from './edit-ping.rules.ts'
import { OfflineNote } from './OfflineNote.tsx'
import { useIsOffline } from './use-is-offline.ts'

interface Props {
  open: boolean
  ping: OwnPing
  onClose: () => void
}

/** Says how many people are notified, and asks for a message to them. */
export function CancelPingDialog({ open, ping, onClose }: Props) {
  const id = useId()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="xs"
      fullWidth
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <DialogTitle id={`${id}-title`}>{t('pings.cancel.title')}</DialogTitle>
      {/* Unmounted with the dialog, so that each opening starts without a message. */}
      <CancelForm textId={`${id}-text`} ping={ping} onClose={onClose} />
    </Dialog>
  )
}

function CancelForm({ textId, ping, onClose }: Omit<Props, 'open'> & { textId: string }) {
  const cancellation = useCancelPing(ping.id)
  const isOffline = useIsOffline()
  const { showNotice } = useSnackbar()
  const [message, setMessage] = useState('')
  const isTooLong = lengthOf(message.trim()) > pingLimits.cancelMessageMax

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (isTooLong || isOffline || cancellation.isPending) return
    try {
      await cancellation.mutateAsync(message.trim())
      showNotice(t('pings.cancel.canceled'))
      onClose()
    } catch {
      // The dialog shows the error of the mutation.
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {cancellation.error !== null && (
          <ErrorAlert message={writeErrorText(cancellation.error, t('pings.cancelFailed'))} />
        )}
        <DialogContentText id={textId}>{notifiedText(countNotified(ping))}</DialogContentText>
        <CountedField
          label={t('pings.cancel.message')}
          value={message}
          max={pingLimits.cancelMessageMax}
          error={isTooLong ? t('pings.cancelMessageTooLong') : undefined}
          isLong
          onChange={setMessage}
        />
        <OfflineNote />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {t('pings.cancel.keep')}
        </Button>
        <LoadingButton
          type="submit"
          variant="contained"
          color="error"
          isWorking={cancellation.isPending}
          isDisabled={isOffline}
        >
          {t('pings.cancel.cancel')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
