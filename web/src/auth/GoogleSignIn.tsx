import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { clientConfigQuery } from '../api/client-config.ts'
import { isNative } from '../platform/is-native.ts'
import { late } from '../ui/late.tsx'
import { type IdentityProof, signInWithGoogle } from './session.ts'
import { sessionTexts } from './strings.ts'

const GoogleButton = late(async () => (await import('./GoogleButton.tsx')).GoogleButton)

interface Props {
  /** The code of an invitation link, for an account that this may make. */
  invitation?: string | undefined
  onFailure: (message: string) => void
}

/** On servers that are set up for it. Not in the packaged app: Google refuses to sign in within one. */
export function GoogleSignIn({ invitation, onFailure }: Props) {
  const clientId = useQuery(clientConfigQuery()).data?.google_client_id ?? null

  async function handleProof(proof: IdentityProof) {
    try {
      // The guard of the visitors' screens then leads on.
      await signInWithGoogle(proof, invitation)
    } catch (error) {
      onFailure(messageOf(error, sessionTexts.signInFailed))
    }
  }

  if (clientId === null || isNative()) return null
  return <GoogleButton clientId={clientId} isAlternative onProof={(proof) => void handleProof(proof)} />
}
