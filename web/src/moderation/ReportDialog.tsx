import { useId } from 'react'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { ReportForm } from './ReportForm.tsx'
import type { ReportTarget } from './report-target.ts'

interface Props {
  open: boolean
  target: ReportTarget
  onClose: () => void
}

export function ReportDialog({ open, target, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <ReportForm titleId={titleId} target={target} onClose={onClose} />
    </Dialog>
  )
}
