import { type MadeInvitation } from '@hither/contract/moderation.ts'
import Dialog from '@mui/material/Dialog'
import { useId, useState } from 'react'
import { InvitationForm } from './InvitationForm.tsx'
import { MadeLink } from './MadeLink.tsx'

interface Props {
  open: boolean
  onClose: () => void
}

export function InvitationDialog({ open, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <Steps titleId={titleId} onClose={onClose} />
    </Dialog>
  )
}

function Steps({ titleId, onClose }: { titleId: string; onClose: () => void }) {
  const [made, setMade] = useState<MadeInvitation | null>(null)
  if (made !== null) return <MadeLink titleId={titleId} url={made.url} onClose={onClose} />
  return <InvitationForm titleId={titleId} onMade={setMade} onClose={onClose} />
}
