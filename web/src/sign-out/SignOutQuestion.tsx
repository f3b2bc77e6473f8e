import { t } from '../i18n/translate.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

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
    unsentCount > 0 && t('sign-out.question.unsentText', { count: unsentCount }),
    savedPlacesCount > 0 && t('sign-out.question.savedPlacesText', { count: savedPlacesCount }),
  ]
  return (
    <ConfirmDialog
      {...dialog}
      title={t('sign-out.question.title')}
      text={texts.filter(Boolean).join(' ')}
      confirmLabel={t('sign-out.question.signOut')}
    />
  )
}
