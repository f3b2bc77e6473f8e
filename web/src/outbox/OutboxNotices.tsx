import { useEffect } from 'react'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { subscribeToNotices } from './notices.ts'

/** Shows what became of what was sent later. */
export function OutboxNotices() {
  const { showError, showNotice } = useSnackbar()
  useEffect(
    () => subscribeToNotices(({ kind, text }) => (kind === 'error' ? showError(text) : showNotice(text))),
    [showError, showNotice],
  )
  return null
}
