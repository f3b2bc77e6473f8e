import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import { useEffect } from 'react'
import { takeFriendLinkResult } from '../session/friend-code.ts'
import { loadModule } from '../ui/load-module.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'

/** Shows the result of the friend link with which the user has just signed up. */
export function useSignupLinkNotice() {
  const { showError, showNotice } = useSnackbar()
  useEffect(() => {
    const result = takeFriendLinkResult()
    if (result === null) return
    void show(result)

    // Only the first visit of a new user needs the texts of friend links.
    async function show({ status, username }: FriendLinkResult) {
      const { addStrings: strings } = await loadModule(() => import('./strings.ts'))
      if (status === 'invalid' || username === null) showError(strings.signedUpInvalid)
      else showNotice(status === 'accepted' ? strings.accepted(username) : strings.requestSentTo(username))
    }
  }, [showError, showNotice])
}
