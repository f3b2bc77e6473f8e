import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { copyText } from '../../device/clipboard.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { adminStrings as strings } from '../strings.ts'

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
      showNotice(strings.copied)
    } catch {
      showError(strings.copyFailed)
    }
  }

  return (
    <>
      <DialogTitle id={titleId}>{strings.made}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <Typography color="textSecondary">{strings.madeText}</Typography>
          <TextField
            value={url}
            multiline
            fullWidth
            slotProps={{ htmlInput: { readOnly: true, 'aria-label': strings.made } }}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{strings.done}</Button>
        <Button variant="contained" startIcon={<ContentCopyRounded />} onClick={() => void handleCopy()} autoFocus>
          {strings.copy}
        </Button>
      </DialogActions>
    </>
  )
}
