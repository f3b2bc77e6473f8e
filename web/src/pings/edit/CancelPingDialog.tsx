import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, useId, useState } from 'react'
import { CountedField } from '../../ui/CountedField.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { lengthOf } from '../../ui/text-length.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { writeErrorText } from '../view/write-error-text.ts'
import { countNotified } from './count-notified.ts'
import { useCancelPing } from './edit-ping.mutations.ts'
import { OfflineNote } from './OfflineNote.tsx'
import { editStrings, cancelStrings as strings } from './strings.ts'
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
      <DialogTitle id={`${id}-title`}>{strings.title}</DialogTitle>
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
  const isTooLong = lengthOf(message.trim()) > strings.messageMax

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (isTooLong || isOffline || cancellation.isPending) return
    try {
      await cancellation.mutateAsync(message.trim())
      showNotice(strings.canceled)
      onClose()
    } catch {
      // The dialog shows the error of the mutation.
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {cancellation.error !== null && (
          <ErrorAlert message={writeErrorText(cancellation.error, editStrings.cancelFailed)} />
        )}
        <DialogContentText id={textId}>{editStrings.willBeNotified(countNotified(ping))}</DialogContentText>
        <CountedField
          label={strings.message}
          value={message}
          max={strings.messageMax}
          error={isTooLong ? strings.messageTooLong : undefined}
          isLong
          onChange={setMessage}
        />
        <OfflineNote />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {strings.keep}
        </Button>
        <LoadingButton
          type="submit"
          variant="contained"
          color="error"
          isWorking={cancellation.isPending}
          isDisabled={isOffline}
        >
          {strings.cancel}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
