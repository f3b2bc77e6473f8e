import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import { useColorScheme } from '@mui/material/styles'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { loadGoogleIdentity } from './google-identity.ts'
import { signInWithGoogle } from './session.ts'
import { authStrings, sessionTexts } from './strings.ts'

interface Props {
  clientId: string
  /** The code of an invitation link, for an account that this may make. */
  invitation?: string | undefined
  onFailure: (message: string) => void
}

const buttonMaxPx = 400

/** Google's own button; nothing where Google cannot be reached. */
export function GoogleButton({ clientId, invitation, onFailure }: Props) {
  const { colorScheme } = useColorScheme()
  const place = useRef<HTMLDivElement>(null)
  const [isReachable, setIsReachable] = useState(true)

  const handleCredential = useEffectEvent(async (idToken: string) => {
    try {
      // The guard of the visitors' screens then leads on.
      await signInWithGoogle(idToken, invitation)
    } catch (error) {
      onFailure(messageOf(error, sessionTexts.signInFailed))
    }
  })

  useEffect(() => {
    let isOver = false
    loadGoogleIdentity().then(
      (identity) => {
        if (isOver || place.current === null) return
        identity.initialize({
          client_id: clientId,
          callback: ({ credential }) => void handleCredential(credential),
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
        if (!isOver) setIsReachable(false)
      },
    )
    return () => {
      isOver = true
    }
  }, [clientId, colorScheme])

  if (!isReachable) return null
  return (
    <>
      <Divider sx={{ color: 'text.secondary', fontSize: '0.875rem' }}>{authStrings.or}</Divider>
      {/* A frame of the other scheme would get a white ground. */}
      <Box ref={place} sx={{ minHeight: 44, display: 'grid', justifyItems: 'center', colorScheme: 'light' }} />
    </>
  )
}
