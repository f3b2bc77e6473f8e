import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { copyText } from '../../device/clipboard.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'

interface Props {
  titleId: string
  url: string
  onClose: () => void
}

/** Shows a new invitation link. It cannot be shown again later. */
export function NewInvitationLink({ titleId, url, onClose }: Props) {
  const { showError, showNotice } = useSnackbar()

  async function handleCopy() {
    try {
      await copyText(url)
      showNotice(t('admin.copied'))
    } catch {
      showError(t('admin.copyFailed'))
    }
  }

  return (
    <>
      <DialogTitle id={titleId}>{t('admin.made')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <Typography color="textSecondary">{t('admin.madeText')}</Typography>
          <TextField
            value={url}
            multiline
            fullWidth
            slotProps={{ htmlInput: { readOnly: true, 'aria-label': t('admin.made') } }}
          />
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
