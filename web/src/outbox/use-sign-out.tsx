import { type ReactNode, useState } from 'react'
import { useSession } from '../auth/session.ts'
import { authStrings } from '../auth/strings.ts'
import { outbox } from '../chat/outbox.ts'
import { waitingAnswers, waitingPings } from '../pings/ping-outbox.ts'
import { late } from '../ui/late.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { outboxStrings } from './strings.ts'

const ConfirmDialog = late(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

/** Signs out, and asks before where that discards what is not sent yet. `question` belongs into the page. */
export function useSignOut(): { signOut: () => void; question: ReactNode } {
  const { signOut } = useSession()
  const { showError } = useSnackbar()
  const [count, setCount] = useState(0)
  const [isAsking, setIsAsking] = useState(false)

  function leave() {
    setIsAsking(false)
    // The guard of the shell then leads to /login.
    void signOut().catch(() => showError(authStrings.logoutFailed))
  }

  function handleSignOut() {
    const waiting = outbox().length + waitingPings.items().length + waitingAnswers.items().length
    if (waiting === 0) return leave()
    setCount(waiting)
    setIsAsking(true)
  }

  const question = (
    <ConfirmDialog
      open={isAsking}
      title={outboxStrings.signOutTitle}
      text={outboxStrings.signOutText(count)}
      confirmLabel={outboxStrings.signOut}
      onConfirm={leave}
      onClose={() => setIsAsking(false)}
    />
  )
  return { signOut: handleSignOut, question }
}
