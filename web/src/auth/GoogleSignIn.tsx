import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../api/client-config.ts'
import { isNative } from '../platform/is-native.ts'
import { late } from '../ui/late.tsx'

const GoogleButton = late(async () => (await import('./GoogleButton.tsx')).GoogleButton)

interface Props {
  /** The code of an invitation link, for an account that this may make. */
  invitation?: string | undefined
  onFailure: (message: string) => void
}

/** On servers that are set up for it. Not in the packaged app: Google refuses to sign in within one. */
export function GoogleSignIn(props: Props) {
  const clientId = useQuery(clientConfigQuery()).data?.google_client_id ?? null
  return clientId === null || isNative() ? null : <GoogleButton clientId={clientId} {...props} />
}
