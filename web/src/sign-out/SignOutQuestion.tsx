import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { questionStrings as strings } from './question-strings.ts'

interface Props {
  open: boolean
  /** The number of changes that are not sent yet. */
  unsentCount: number
  savedPlacesCount: number
  onConfirm: () => void
  onClose: () => void
}

/** Asks before signing out removes what is stored on this device only. */
export function SignOutQuestion({ unsentCount, savedPlacesCount, ...dialog }: Props) {
  const texts = [
    unsentCount > 0 && strings.unsentText(unsentCount),
    savedPlacesCount > 0 && strings.savedPlacesText(savedPlacesCount),
  ]
  return (
    <ConfirmDialog
      {...dialog}
      title={strings.title}
      text={texts.filter(Boolean).join(' ')}
      confirmLabel={strings.signOut}
    />
  )
}
