import CloseRounded from '@mui/icons-material/CloseRounded'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { NewChatForm } from './NewChatForm.tsx'

interface Props {
  open: boolean
  onClose: () => void
}

export function NewChatDialog({ open, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ paddingInlineEnd: 8 }}>
        {t('chat.newChat.title')}
      </DialogTitle>
      <IconButton title={t('ui.close')} onClick={onClose} sx={{ position: 'absolute', top: 16, insetInlineEnd: 16 }}>
        <CloseRounded />
      </IconButton>
      {/* Unmounted with the dialog, so that each opening starts empty. */}
      <NewChatForm onClose={onClose} />
    </Dialog>
  )
}
