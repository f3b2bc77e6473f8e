import Alert from '@mui/material/Alert'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { t } from '../../i18n/translate.ts'
import { isNative } from '../../platform/is-native.ts'
import type { IdentityProof } from '../../session/session.ts'
import { lazyComponent } from '../../ui/lazy.tsx'

const GoogleButton = lazyComponent(async () => (await import('./GoogleButton.tsx')).GoogleButton)

interface Props {
  isProven: boolean
  onProof: (proof: IdentityProof) => void
}

/** Asks the owner of an account without a password to sign in with Google again before a sensitive action. */
export function GoogleProof({ isProven, onProof }: Props) {
  const clientId = useQuery(clientConfigQuery()).data?.google_client_id ?? null
  if (isProven) return <Alert severity="success">{t('auth.proven')}</Alert>
  if (clientId === null || isNative()) return <Alert severity="info">{t('auth.proveInBrowser')}</Alert>
  return (
    <Stack spacing={1.5}>
      <Typography>{t('auth.proveWithGoogle')}</Typography>
      <GoogleButton clientId={clientId} onProof={onProof} />
    </Stack>
  )
}
