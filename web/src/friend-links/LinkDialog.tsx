import type { CreatedFriendLink } from '@hither/contract/friend-links.ts'
import { useId, useState } from 'react'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { LinkForm } from './LinkForm.tsx'
import { NewLink } from './NewLink.tsx'

interface Props {
  open: boolean
  onClose: () => void
}

export function LinkDialog({ open, onClose }: Props) {
  const titleId = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <Steps titleId={titleId} onClose={onClose} />
    </Dialog>
  )
}

/** Unmounted with the dialog, so that each opening starts with the form. */
function Steps({ titleId, onClose }: { titleId: string; onClose: () => void }) {
  const [link, setLink] = useState<CreatedFriendLink | null>(null)
  if (link !== null) return <NewLink titleId={titleId} link={link} onClose={onClose} />
  return <LinkForm titleId={titleId} onCreated={setLink} onClose={onClose} />
}
