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
import { t } from '../../i18n/translate.ts'
import { RadioChoice } from '../../moderation/RadioChoice.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useSuspendUser } from '../admin.api.ts'

interface Props {
  open: boolean
  person: { id: UserId; username: string }
  /** The report that the suspension resolves. */
  reportId?: ReportId
  onClose: () => void
}

const durations = ['1', '7', '30', 'ever'] as const
type Duration = (typeof durations)[number]

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
      setFailure(t('admin.reasonMissing'))
      return
    }
    const days = duration === 'ever' ? null : Number(duration)
    const body = { reason: reason.trim(), days, ...(reportId !== undefined && { report_id: reportId }) }
    try {
      await suspension.mutateAsync({ params: { id: person.id }, body })
      onClose()
      showNotice(t('admin.suspended', { name: person.username }))
    } catch (error) {
      setFailure(messageOf(error, t('moderation.actionFailed')))
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {t('admin.suspendTitle', { name: person.username })}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={2.5}>
          <Typography color="textSecondary">{t('admin.suspendText')}</Typography>
          <RadioChoice
            label={t('admin.howLong')}
            options={durations.map((value) => ({ value, label: t(`admin.durations.${value}`) }))}
            value={duration}
            onChange={setDuration}
          />
          <TextField
            label={t('admin.reason')}
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
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" color="error" isWorking={suspension.isPending}>
          {t('admin.suspend')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
