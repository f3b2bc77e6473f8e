import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { clientConfigQuery } from '../api/client-config.ts'
import { isNative } from '../platform/is-native.ts'
import { useOptionalModule } from '../ui/use-optional-module.ts'
import { admissionOf } from './admission.ts'
import { canUsePasskeys } from './passkeys/can-use-passkeys.ts'

const loadList = () => import('./OtherSignInList.tsx')

interface Props {
  /** Whether people with a passkey sign in here. */
  hasPasskeys?: boolean
  onFailure: (message: string | null) => void
}

/** The ways to sign in without a password that this server has. Their code is loaded after the first paint. */
export function OtherSignIns({ hasPasskeys = false, onFailure }: Props) {
  const { state } = useLocation()
  const { data: config } = useQuery(clientConfigQuery())
  const offers = {
    passkeys: hasPasskeys && canUsePasskeys(config),
    provider: config?.oidc ?? null,
    // Google refuses to sign in within the web view of the packaged app.
    googleClientId: isNative() ? null : (config?.google_client_id ?? null),
  }
  const module = useOptionalModule(
    loadList,
    offers.passkeys || offers.provider !== null || offers.googleClientId !== null,
  )
  return module && <module.OtherSignInList {...offers} admission={admissionOf(state)} onFailure={onFailure} />
}
