import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { type Admission, type IdentityProof, signInWithGoogle } from '../../session/session.ts'
import { lazyComponent } from '../../ui/lazy.tsx'

const GoogleButton = lazyComponent(async () => (await import('./GoogleButton.tsx')).GoogleButton)

interface Props {
  clientId: string
  /** Whether a separator stands above the button. */
  isFirst: boolean
  /** For a new account. */
  admission: Admission
  onFailure: (message: string) => void
}

/** Signs in with Google's own button. */
export function GoogleSignIn({ clientId, isFirst, admission, onFailure }: Props) {
  async function handleProof(proof: IdentityProof) {
    try {
      // `RequireVisitor` then redirects.
      await signInWithGoogle(proof, admission)
    } catch (error) {
      onFailure(messageOf(error, t('session.signInFailed')))
    }
  }

  return <GoogleButton clientId={clientId} isAlternative={isFirst} onProof={(proof) => void handleProof(proof)} />
}
