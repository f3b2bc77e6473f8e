import Box from '@mui/material/Box'
import { useColorScheme } from '@mui/material/styles'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { newSecret } from '../../session/device-secrets.ts'
import type { IdentityProof } from '../../session/session.ts'
import { OrLine } from '../OrLine.tsx'
import { loadGoogleIdentity } from './google-identity.ts'

interface Props {
  clientId: string
  /** Whether there is another way to sign in. A separator is shown then. */
  isAlternative?: boolean
  onProof: (proof: IdentityProof) => void
}

const buttonMaxPx = 400

/** Google's own sign-in button. Renders nothing if Google cannot be reached. */
export function GoogleButton({ clientId, isAlternative = false, onProof }: Props) {
  const { colorScheme } = useColorScheme()
  const place = useRef<HTMLDivElement>(null)
  const [isReachable, setIsReachable] = useState(true)

  const handleProof = useEffectEvent(onProof)

  useEffect(() => {
    let isCanceled = false
    loadGoogleIdentity().then(
      (identity) => {
        if (isCanceled || place.current === null) return
        const nonce = newSecret()
        identity.initialize({
          client_id: clientId,
          nonce,
          callback: ({ credential }) => handleProof({ id_token: credential, nonce }),
          ux_mode: 'popup',
          auto_select: false,
        })
        place.current.replaceChildren()
        identity.renderButton(place.current, {
          type: 'standard',
          theme: colorScheme === 'dark' ? 'filled_black' : 'outline',
          size: 'large',
          text: 'continue_with',
          shape: 'rectangular',
          logo_alignment: 'center',
          width: Math.min(place.current.clientWidth, buttonMaxPx),
        })
      },
      () => {
        if (!isCanceled) setIsReachable(false)
      },
    )
    return () => {
      isCanceled = true
    }
  }, [clientId, colorScheme])

  if (!isReachable) return null
  return (
    <>
      {isAlternative && <OrLine />}
      {/* Browsers give an iframe of another colour scheme a white background. */}
      <Box ref={place} sx={{ minHeight: 44, display: 'grid', justifyItems: 'center', colorScheme: 'light' }} />
    </>
  )
}
