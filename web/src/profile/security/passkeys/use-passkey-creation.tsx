import { ApiError } from '../../../api/api-error.ts'
import { signInMessageOf } from '../../../auth/offline.ts'
import { t } from '../../../i18n/translate.ts'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { useRecentSignIn } from '../recent-sign-in/use-recent-sign-in.tsx'
import { useCreatePasskey } from './passkeys.api.ts'

/** Creates a passkey and shows the result. `create` resolves with whether there is one. Render `question` on the page. */
export function usePasskeyCreation() {
  const creation = useCreatePasskey()
  const { run, question } = useRecentSignIn()
  const { showError, showNotice } = useSnackbar()

  async function create(): Promise<boolean> {
    if (creation.isPending) return false
    try {
      const passkey = await run(creation.mutateAsync)
      if (passkey === null) return false
      showNotice(t('profile.signIn.passkeyCreated'))
      return true
    } catch (error) {
      showError(messageOf(error))
      return false
    }
  }

  return { create, isCreating: creation.isPending, question }
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return signInMessageOf(error, t('profile.signIn.failed'))
  // The device reports by this name that it has a passkey of the account already.
  const { name } = error as Error
  return name === 'InvalidStateError' ? t('profile.signIn.passkeyExists') : t('profile.signIn.passkeyCanceled')
}
