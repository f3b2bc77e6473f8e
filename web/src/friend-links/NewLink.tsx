import type { CreatedFriendLink } from '@hither/contract/friend-links.ts'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import ShareRounded from '@mui/icons-material/ShareRounded'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { copyText } from '../device/clipboard.ts'
import { TextField } from '../ui/TextField.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { linkStrings as strings } from './strings.ts'

interface Props {
  titleId: string
  link: CreatedFriendLink
  onClose: () => void
}

/** Shows a new friend link, which cannot be shown again. */
export function NewLink({ titleId, link: { url, admits_signup, requires_approval }, onClose }: Props) {
  const { showError, showNotice } = useSnackbar()
  const canShare = typeof navigator.share === 'function'

  async function handleCopy() {
    try {
      await copyText(url)
      showNotice(strings.copied)
    } catch {
      // Also shown if there is no clipboard, as on pages without HTTPS.
      showError(strings.copyFailed)
    }
  }

  /** Falls back to a copy, except if the user closed the share sheet. */
  function handleShare() {
    navigator.share({ url }).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) void handleCopy()
    })
  }

  return (
    <>
      <DialogTitle id={titleId}>{strings.title}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <TextField
            value={url}
            multiline
            fullWidth
            slotProps={{ htmlInput: { readOnly: true, 'aria-label': strings.title } }}
            sx={{ mt: 0.5 }}
          />
          <Typography color="textSecondary">
            {requires_approval ? strings.moreUses : strings.oneUse}{' '}
            {admits_signup ? strings.admitsSignup : strings.needsAccount}
          </Typography>
          <Typography color="textSecondary" role="status">
            {strings.shownOnce}
          </Typography>
        </Stack>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={onClose} sx={{ marginInlineEnd: 'auto' }}>
          {strings.done}
        </Button>
        {canShare && (
          <Button variant="outlined" startIcon={<ShareRounded />} onClick={handleShare}>
            {strings.share}
          </Button>
        )}
        <Button variant="contained" startIcon={<ContentCopyRounded />} onClick={() => void handleCopy()} autoFocus>
          {strings.copy}
        </Button>
      </DialogActions>
    </>
  )
}
