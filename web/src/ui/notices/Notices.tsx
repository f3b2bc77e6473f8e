import { useEffect } from 'react'
import { useSnackbar } from '../use-snackbar.ts'
import { subscribeToNotices } from './notices.ts'

/** Shows the messages of `publishNotice`. */
export function Notices() {
  const { showError, showNotice } = useSnackbar()
  useEffect(
    () =>
      subscribeToNotices(({ kind, text, actions }) => (kind === 'error' ? showError(text) : showNotice(text, actions))),
    [showError, showNotice],
  )
  return null
}
