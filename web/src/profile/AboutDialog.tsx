import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { BrandMark } from '../ui/BrandMark.tsx'
import { profileStrings } from './strings.ts'

export function AboutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
        <BrandMark size={36} />
        {profileStrings.aboutHither}
      </DialogTitle>
      <DialogContent>
        <Typography sx={{ fontWeight: 700, mb: 1.5 }}>{profileStrings.aboutLine}</Typography>
        {profileStrings.aboutText.map((text) => (
          <Typography key={text} color="textSecondary" sx={{ mb: 1.5 }}>
            {text}
          </Typography>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{profileStrings.close}</Button>
      </DialogActions>
    </Dialog>
  )
}
