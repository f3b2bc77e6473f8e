import type { MadeInvitation } from '@hither/contract/invitations.ts'
import { useId, useState } from 'react'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { InvitationForm } from './InvitationForm.tsx'
import { NewInvitationLink } from './NewInvitationLink.tsx'

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
  const [invitation, setInvitation] = useState<MadeInvitation | null>(null)
  if (invitation !== null) return <NewInvitationLink titleId={titleId} url={invitation.url} onClose={onClose} />
  return <InvitationForm titleId={titleId} onCreated={setInvitation} onClose={onClose} />
}
