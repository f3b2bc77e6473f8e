import { type ReactNode, useState } from 'react'
import { signInMessageOf } from '../../../auth/offline.ts'
import { t } from '../../../i18n/translate.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { useRecentSignIn } from '../recent-sign-in/use-recent-sign-in.tsx'
import { useCreateRecoveryCodes } from './recovery-codes.api.ts'

const RecoveryCodesDialog = lazyComponent(async () => (await import('./RecoveryCodesDialog.tsx')).RecoveryCodesDialog)

/** Creates recovery codes and shows them in `dialogs`, which must be rendered on the page. */
export function useNewCodes(onDone?: () => void): {
  create: () => Promise<void>
  isCreating: boolean
  dialogs: ReactNode
} {
  const creation = useCreateRecoveryCodes()
  const { run, question } = useRecentSignIn()
  const { showError } = useSnackbar()
  const [codes, setCodes] = useState<readonly string[] | null>(null)

  async function create() {
    if (creation.isPending) return
    try {
      const created = await run(creation.mutateAsync)
      if (created !== null) setCodes(created.codes)
    } catch (error) {
      showError(signInMessageOf(error, t('profile.signIn.failed')))
    }
  }

  function handleClose() {
    setCodes(null)
    creation.reset()
    onDone?.()
  }

  const dialogs = (
    <>
      {question}
      <RecoveryCodesDialog open={codes !== null} codes={codes ?? []} onClose={handleClose} />
    </>
  )
  return { create, isCreating: creation.isPending, dialogs }
}
