import { useEffect } from 'react'
import { t } from '../i18n/translate.ts'
import { takeFriendLinkResult } from '../session/friend-code.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'

/** Shows the result of the friend link with which the user has just signed up. */
export function useSignupLinkNotice() {
  const { showError, showNotice } = useSnackbar()
  useEffect(() => {
    const result = takeFriendLinkResult()
    if (result === null) return
    const { status, username } = result
    if (status === 'invalid' || username === null) showError(t('friend-links.add.signedUpInvalid'))
    else
      showNotice(
        status === 'accepted'
          ? t('friend-links.add.accepted', { name: username })
          : t('friend-links.add.requestSentTo', { name: username }),
      )
  }, [showError, showNotice])
}
