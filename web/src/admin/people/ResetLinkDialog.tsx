import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import type { UserId } from '@hither/contract/ids.ts'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { useServerNow } from '../../api/server-time.ts'
import { copyText } from '../../device/clipboard.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { clockTime, nearDay } from '../../ui/format-time.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useCreateResetLink } from '../admin.api.ts'

interface Person {
  id: UserId
  username: string
}

interface Props {
  open: boolean
  person: Person
  onClose: () => void
}

export function ResetLinkDialog({ open, person, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <Steps titleId={titleId} person={person} onClose={onClose} />
    </Dialog>
  )
}

interface StepProps {
  titleId: string
  person: Person
  onClose: () => void
}

/** Unmounted when the dialog closes, so that the link is discarded. */
function Steps(props: StepProps) {
  const [link, setLink] = useState<ResetLink | null>(null)
  return link === null ? <Question {...props} onCreated={setLink} /> : <CreatedLink {...props} link={link} />
}

function Question({ titleId, person, onCreated, onClose }: StepProps & { onCreated: (link: ResetLink) => void }) {
  const creation = useCreateResetLink()

  function handleCreate() {
    // The error of the mutation is shown.
    creation.mutateAsync(person.id).then(onCreated, () => undefined)
  }

  return (
    <>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {t('admin.resetTitle', { name: person.username })}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {t('admin.resetText', { name: person.username })}
          </Typography>
          {creation.isError && <ErrorAlert message={messageOf(creation.error, t('moderation.actionFailed'))} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {t('ui.cancel')}
        </Button>
        <LoadingButton variant="contained" isWorking={creation.isPending} onClick={handleCreate}>
          {t('admin.createResetLink')}
        </LoadingButton>
      </DialogActions>
    </>
  )
}

function CreatedLink({ titleId, person, link, onClose }: StepProps & { link: ResetLink }) {
  const nowMs = useServerNow(60_000)
  const { showError, showNotice } = useSnackbar()
  const title = t('admin.resetLink', { name: person.username })

  async function handleCopy() {
    try {
      await copyText(link.url)
      showNotice(t('admin.copied'))
    } catch {
      showError(t('admin.copyFailed'))
    }
  }

  return (
    <>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <TextField
            value={link.url}
            multiline
            fullWidth
            slotProps={{ htmlInput: { readOnly: true, 'aria-label': title } }}
          />
          <Typography color="textSecondary">
            {t('admin.resetUntil', { day: nearDay(link.expires_at, nowMs), time: clockTime(link.expires_at) })}
          </Typography>
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('admin.done')}</Button>
        <Button variant="contained" startIcon={<ContentCopyRounded />} onClick={() => void handleCopy()} autoFocus>
          {t('admin.copy')}
        </Button>
      </DialogActions>
    </>
  )
}
