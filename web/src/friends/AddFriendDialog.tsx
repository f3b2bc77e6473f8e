import CloseRounded from '@mui/icons-material/CloseRounded'
import LinkRounded from '@mui/icons-material/LinkRounded'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useId } from 'react'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { AddFriendForm } from './AddFriendForm.tsx'

/** Friend links, which this folder does not know. */
export interface AddByLink {
  /** Opens a pasted friend link, or returns why it cannot be opened. Returns undefined for any other text. */
  open: (text: string) => 'opened' | { problem: string } | undefined
  share: { label: string; onShare: () => void }
}

interface Props {
  open: boolean
  links?: AddByLink | undefined
  onClose: () => void
}

export function AddFriendDialog({ open, links, onClose }: Props) {
  const titleId = useId()

  function handleShare() {
    onClose()
    links?.share.onShare()
  }

  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ paddingInlineEnd: 8 }}>
        {t('friends.addFriend')}
      </DialogTitle>
      <IconButton title={t('ui.close')} onClick={onClose} sx={{ position: 'absolute', top: 16, insetInlineEnd: 16 }}>
        <CloseRounded />
      </IconButton>
      <DialogContent sx={{ pb: 3 }}>
        {/* Unmounted with the dialog, so that each opening starts empty. */}
        <AddFriendForm onDone={onClose} onText={links?.open} />
        {links && (
          <Button
            fullWidth
            size="large"
            variant="outlined"
            startIcon={<LinkRounded />}
            onClick={handleShare}
            sx={{ mt: 2.5 }}
          >
            {links.share.label}
          </Button>
        )}
      </DialogContent>
    </Dialog>
  )
}
