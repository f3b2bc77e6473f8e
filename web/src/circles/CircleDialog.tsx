import type { Circle } from '@hither/contract/circles.ts'
import type { UserId } from '@hither/contract/ids.ts'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { EditCircle } from './EditCircle.tsx'
import { NewCircle } from './NewCircle.tsx'

interface Props {
  open: boolean
  /** The circle that is edited; null for a new one. */
  circle: Circle | null
  /** Who is selected at first in a new circle. */
  memberIds?: readonly UserId[]
  onClose: () => void
}

/** Creates or edits a circle. */
export function CircleDialog({ open, circle, memberIds = [], onClose }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{circle === null ? t('circles.newCircle') : t('circles.editCircle')}</DialogTitle>
      {/* Unmounted with the dialog, so that each opening starts with the saved circle. */}
      {circle === null ? (
        <NewCircle memberIds={memberIds} onClose={onClose} />
      ) : (
        <EditCircle key={circle.id} circle={circle} onClose={onClose} />
      )}
    </Dialog>
  )
}
