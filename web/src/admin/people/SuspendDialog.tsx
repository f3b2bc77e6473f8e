import type { ReportId, UserId } from '@hither/contract/ids.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type FormEvent, useId, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { RadioChoice } from '../../moderation/RadioChoice.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { uiStrings } from '../../ui/strings.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useSuspendUser } from '../admin.api.ts'
import { adminStrings as strings } from '../strings.ts'

interface Props {
  open: boolean
  person: { id: UserId; username: string }
  /** The report that the suspension resolves. */
  reportId?: ReportId
  onClose: () => void
}

type Duration = keyof typeof strings.durations
const durations = Object.entries(strings.durations).map(([value, label]) => ({ value: value as Duration, label }))

export function SuspendDialog({ open, onClose, ...props }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <SuspendForm titleId={titleId} onClose={onClose} {...props} />
    </Dialog>
  )
}

function SuspendForm({ titleId, person, reportId, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const suspension = useSuspendUser()
  const { showNotice } = useSnackbar()
  const [duration, setDuration] = useState<Duration>('7')
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<string | null>(null)

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (suspension.isPending) return
    if (reason.trim() === '') {
      setFailure(strings.reasonMissing)
      return
    }
    const days = duration === 'ever' ? null : Number(duration)
    const body = { reason: reason.trim(), days, ...(reportId !== undefined && { report_id: reportId }) }
    try {
      await suspension.mutateAsync({ params: { id: person.id }, body })
      onClose()
      showNotice(strings.suspended(person.username))
    } catch (error) {
      setFailure(messageOf(error, strings.actionFailed))
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {strings.suspendTitle(person.username)}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={2.5}>
          <Typography color="textSecondary">{strings.suspendText}</Typography>
          <RadioChoice label={strings.howLong} options={durations} value={duration} onChange={setDuration} />
          <TextField
            label={strings.reason}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            multiline
            minRows={2}
            maxRows={5}
            fullWidth
            slotProps={{ htmlInput: { maxLength: moderationLimits.suspensionReasonMax } }}
          />
          {failure !== null && <ErrorAlert message={failure} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{uiStrings.cancel}</Button>
        <LoadingButton type="submit" variant="contained" color="error" isWorking={suspension.isPending}>
          {strings.suspend}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
