import Alert from '@mui/material/Alert'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { isNative } from '../../platform/is-native.ts'
import type { IdentityProof } from '../../session/session.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { authStrings } from '../strings.ts'

const GoogleButton = lazyComponent(async () => (await import('./GoogleButton.tsx')).GoogleButton)

interface Props {
  isProven: boolean
  onProof: (proof: IdentityProof) => void
}

/** Asks the owner of an account without a password to sign in with Google again before a sensitive action. */
export function GoogleProof({ isProven, onProof }: Props) {
  const clientId = useQuery(clientConfigQuery()).data?.google_client_id ?? null
  if (isProven) return <Alert severity="success">{authStrings.proven}</Alert>
  if (clientId === null || isNative()) return <Alert severity="info">{authStrings.proveInBrowser}</Alert>
  return (
    <Stack spacing={1.5}>
      <Typography>{authStrings.proveWithGoogle}</Typography>
      <GoogleButton clientId={clientId} onProof={onProof} />
    </Stack>
  )
}
