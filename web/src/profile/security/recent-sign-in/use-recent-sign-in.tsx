import { type ReactNode, useState } from 'react'
import { isRefusal } from '../../../api/api-error.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'

const RecentSignInDialog = lazyComponent(async () => (await import('./RecentSignInDialog.tsx')).RecentSignInDialog)

/** What proves who asks if the sign-in is not recent. */
export interface OwnershipProof {
  password?: string
}

interface Pending {
  /** Rejects if the password is wrong. */
  submit: (password: string) => Promise<void>
  cancel: () => void
}

/**
 * Runs changes to how the account can be entered. `run` asks for the password first if the server requires a recent sign-in,
 * and resolves with null if the user cancels. Render `question` on the page.
 */
export function useRecentSignIn(): {
  run: <T>(change: (proof: OwnershipProof) => Promise<T>) => Promise<T | null>
  question: ReactNode
} {
  const [pending, setPending] = useState<Pending | null>(null)

  async function run<T>(change: (proof: OwnershipProof) => Promise<T>): Promise<T | null> {
    try {
      return await change({})
    } catch (error) {
      if (!isRefusal(error, 'recent_sign_in_required')) throw error
    }
    return new Promise((resolve, reject) => {
      setPending({
        async submit(password) {
          try {
            resolve(await change({ password }))
          } catch (error) {
            if (isRefusal(error, 'wrong_password')) throw error
            reject(error)
          }
          setPending(null)
        },
        cancel() {
          setPending(null)
          resolve(null)
        },
      })
    })
  }

  const question = (
    <RecentSignInDialog
      open={pending !== null}
      onSubmit={async (password) => pending?.submit(password)}
      onClose={() => pending?.cancel()}
    />
  )
  return { run, question }
}
