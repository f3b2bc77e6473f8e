import type { ReportReason, ReportSubject } from '@hither/contract/reports.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useReport } from './moderation.api.ts'
import { RadioChoice } from './RadioChoice.tsx'
import { headingOf, type ReportTarget, subjectsOf } from './report-target.ts'

interface Props {
  titleId: string
  target: ReportTarget
  onClose: () => void
}

const reasonNames: Readonly<Record<ReportReason, string>> = {
  harassment: t('moderation.reason.harassment'),
  threat: t('moderation.reason.threat'),
  sexual: t('moderation.reason.sexual'),
  spam: t('moderation.reason.spam'),
  impersonation: t('moderation.reason.impersonation'),
  other: t('moderation.reason.other'),
}

const reasons = Object.entries(reasonNames).map(([value, label]) => ({ value: value as ReportReason, label }))

export function ReportForm({ titleId, target, onClose }: Props) {
  const subjects = subjectsOf(target)
  const sending = useReport()
  const { showNotice } = useSnackbar()
  const [subject, setSubject] = useState<ReportSubject>(subjects[0]?.subject ?? 'user')
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string | null>(null)

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (sending.isPending) return
    if (reason === null) {
      setFailure(t('moderation.report.chooseReason'))
      return
    }
    setFailure(null)
    try {
      await sending.mutateAsync({ subject, subject_id: target.id, reason, text: text.trim() || null })
      onClose()
      showNotice(t('moderation.reported'))
    } catch (error) {
      setFailure(messageOf(error, t('moderation.reportFailed')))
    }
  }

  return (
    <Box component="form" noValidate onSubmit={handleSubmit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {headingOf(target)}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={2.5}>
          {subjects.length > 1 && (
            <RadioChoice
              label={t('moderation.report.whatAbout')}
              options={subjects.map(({ subject, label }) => ({ value: subject, label }))}
              value={subject}
              onChange={setSubject}
            />
          )}
          <RadioChoice label={t('moderation.report.why')} options={reasons} value={reason} onChange={setReason} />
          <TextField
            label={t('moderation.report.more')}
            value={text}
            onChange={(event) => setText(event.target.value)}
            multiline
            minRows={2}
            maxRows={6}
            fullWidth
            slotProps={{ htmlInput: { maxLength: moderationLimits.reportTextMax } }}
          />
          <Typography variant="body2" color="textSecondary">
            {t('moderation.report.whoSees')}
          </Typography>
          {failure !== null && <ErrorAlert message={failure} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={sending.isPending}>
          {t('moderation.report.send')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}
