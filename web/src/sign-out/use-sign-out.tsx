import { type ReactNode, useState } from 'react'
import { waitingMessages } from '../chat/outbox/message-outbox.ts'
import { waitingPhotos } from '../chat/outbox/photo-queue.ts'
import { t } from '../i18n/translate.ts'
import { waitingPings, waitingResponses } from '../pings/outbox/ping-outbox.ts'
import { savedPlaces } from '../pings/saved-places/saved-places.ts'
import { useSession } from '../session/session.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'

const SignOutQuestion = lazyComponent(async () => (await import('./SignOutQuestion.tsx')).SignOutQuestion)

/**
 * Signs out, and asks for confirmation first if that discards what only this device has. Calls `onSignedOut` afterwards. Render
 * `question` on the page.
 */
export function useSignOut(onSignedOut?: () => void): { signOut: () => void; question: ReactNode } {
  const { signOut } = useSession()
  const { showError } = useSnackbar()
  const [counts, setCounts] = useState({ unsentCount: 0, savedPlacesCount: 0 })
  const [isAsking, setIsAsking] = useState(false)

  function leave() {
    setIsAsking(false)
    // `RequireSession` then redirects to /login.
    signOut()
      .then(onSignedOut)
      .catch(() => showError(t('sign-out.failed')))
  }

  function handleSignOut() {
    const waiting = [waitingMessages, waitingPhotos, waitingPings, waitingResponses]
    const unsentCount = waiting.reduce((sum, queue) => sum + queue.items().length, 0)
    const savedPlacesCount = savedPlaces.items().length
    if (unsentCount + savedPlacesCount === 0) return leave()
    setCounts({ unsentCount, savedPlacesCount })
    setIsAsking(true)
  }

  const question = <SignOutQuestion open={isAsking} {...counts} onConfirm={leave} onClose={() => setIsAsking(false)} />
  return { signOut: handleSignOut, question }
}
