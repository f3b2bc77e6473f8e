import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientConfigQuery } from '../../api/client-config.ts'
import { canUsePasskeys } from '../../auth/passkeys/can-use-passkeys.ts'
import { useSession } from '../../session/session.ts'
import { SecurityBanner } from './activity/SecurityBanner.tsx'
import { PasskeyOffer } from './passkeys/PasskeyOffer.tsx'
import { isPasskeyOffered, notePasskeyOffer } from './passkeys/passkey-offers.ts'
import { RecoveryCodesOffer } from './recovery-codes/RecoveryCodesOffer.tsx'

/** Unseen security events, and what is offered once after a sign-in with a password or a sign-up. */
export function SecurityNotices({ entrance }: { entrance: 'password' | 'sign_up' | null }) {
  const { user } = useSession()
  const { data: config } = useQuery(clientConfigQuery())
  const [wasOffered] = useState(() => user === null || isPasskeyOffered(user.id))
  const [isClosed, setIsClosed] = useState(false)
  const offersPasskey = entrance === 'password' && !wasOffered && canUsePasskeys(config)
  const offersCodes = entrance === 'sign_up' && config?.features.password_reset === false
  return (
    <>
      <SecurityBanner />
      {!isClosed && user !== null && offersPasskey && (
        <PasskeyOffer onShown={() => notePasskeyOffer(user.id)} onClose={() => setIsClosed(true)} />
      )}
      {!isClosed && offersCodes && <RecoveryCodesOffer onClose={() => setIsClosed(true)} />}
    </>
  )
}
