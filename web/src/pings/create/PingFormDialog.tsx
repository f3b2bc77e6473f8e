import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'

interface Props {
  open: boolean
  title: string
  children: ReactNode
  /** Called when the dialog appears. */
  onShown?: () => void
  onClose: () => void
  /** What going back does instead of `onClose`. */
  onBack?: () => void
}

/** The dialog around the form of a ping. It fills the screen of a phone. */
export function PingFormDialog({ open, title, children, onShown, onClose, onBack }: Props) {
  const id = useId()
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onBack={onBack}
      fullScreen={isPhone}
      maxWidth="sm"
      aria-labelledby={id}
      slotProps={{ transition: { ...(onShown && { onEnter: onShown }) } }}
    >
      <DialogTitle id={id} sx={{ display: 'flex', alignItems: 'center', paddingInlineEnd: 1.5 }}>
        <Box component="span" sx={{ flex: 1 }}>
          {title}
        </Box>
        <IconButton aria-label={t('pings.create.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </DialogTitle>
      {children}
    </Dialog>
  )
}
