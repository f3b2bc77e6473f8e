import type { CreatedFriendLink } from '@hither/contract/friend-links.ts'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import ShareRounded from '@mui/icons-material/ShareRounded'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { t } from '../i18n/translate.ts'
import { TextField } from '../ui/TextField.tsx'
import { useLinkSharing } from './use-link-sharing.ts'

interface Props {
  titleId: string
  link: CreatedFriendLink
  onClose: () => void
}

/** Shows a new friend link, which cannot be shown again. */
export function NewLink({ titleId, link: { url, admits_signup, requires_approval }, onClose }: Props) {
  const { canShare, share, copy } = useLinkSharing(url)

  return (
    <>
      <DialogTitle id={titleId}>{t('friend-links.link.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <TextField
            value={url}
            multiline
            fullWidth
            slotProps={{ htmlInput: { readOnly: true, 'aria-label': t('friend-links.link.title') } }}
            sx={{ mt: 0.5 }}
          />
          <Typography color="textSecondary">
            {requires_approval ? t('friend-links.link.moreUses') : t('friend-links.link.oneUse')}{' '}
            {admits_signup ? t('friend-links.link.admitsSignup') : t('friend-links.link.needsAccount')}
          </Typography>
          <Typography color="textSecondary" role="status">
            {t('friend-links.link.shownOnce')}
          </Typography>
        </Stack>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={onClose} sx={{ marginInlineEnd: 'auto' }}>
          {t('friend-links.link.done')}
        </Button>
        {canShare && (
          <Button variant="outlined" startIcon={<ShareRounded />} onClick={share}>
            {t('friend-links.link.share')}
          </Button>
        )}
        <Button variant="contained" startIcon={<ContentCopyRounded />} onClick={() => void copy()} autoFocus>
          {t('friend-links.link.copy')}
        </Button>
      </DialogActions>
    </>
  )
}
