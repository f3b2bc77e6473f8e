import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { BottomSheet } from '../../ui/BottomSheet.tsx'

interface Props {
  open: boolean
  title: string
  onClose: () => void
  onExited?: () => void
  /** Below the title, outside the part that scrolls. */
  head?: ReactNode
  children: ReactNode
}

/** A sheet with a title, a button that closes it, and content that scrolls. */
export function Sheet({ open, title, onClose, onExited, head, children }: Props) {
  const id = useId()
  return (
    <BottomSheet open={open} onClose={onClose} {...(onExited && { onExited })} labelledBy={id} maxHeightPx={600}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          paddingInlineStart: 3,
          paddingInlineEnd: 1.5,
          pt: 1.5,
          pb: 0.5,
          flexShrink: 0,
        }}
      >
        <Typography id={id} variant="h6" component="h2" sx={{ flex: 1 }}>
          {title}
        </Typography>
        <IconButton title={t('ui.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      {head}
      {/* A scrollable element must be reachable by keyboard. */}
      <Box tabIndex={0} sx={{ overflowY: 'auto', minHeight: 0, pb: 2, outlineOffset: -3 }}>
        {children}
      </Box>
    </BottomSheet>
  )
}
