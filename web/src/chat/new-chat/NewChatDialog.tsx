import CloseRounded from '@mui/icons-material/CloseRounded'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useId } from 'react'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { uiStrings } from '../../ui/strings.ts'
import { newChatStrings } from '../strings.ts'
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
        {newChatStrings.title}
      </DialogTitle>
      <IconButton title={uiStrings.close} onClick={onClose} sx={{ position: 'absolute', top: 16, insetInlineEnd: 16 }}>
        <CloseRounded />
      </IconButton>
      {/* Unmounted with the dialog, so that each opening starts empty. */}
      <NewChatForm onClose={onClose} />
    </Dialog>
  )
}
