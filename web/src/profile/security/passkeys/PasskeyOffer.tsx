import KeyRounded from '@mui/icons-material/KeyRounded'
import Typography from '@mui/material/Typography'
import { useEffect, useEffectEvent } from 'react'
import { HomeNotice } from '../HomeNotice.tsx'
import { signInStrings as strings } from '../sign-in-strings.ts'
import { usePasskeyCreation } from './use-passkey-creation.tsx'

interface Props {
  onShown: () => void
  onClose: () => void
}

/** Offers to create a passkey on this device. */
export function PasskeyOffer({ onShown, onClose }: Props) {
  const { create, question } = usePasskeyCreation()
  const handleShown = useEffectEvent(onShown)
  useEffect(() => handleShown(), [])

  async function handleCreate() {
    if (await create()) onClose()
  }

  return (
    <HomeNotice
      icon={<KeyRounded />}
      actions={[
        { label: strings.notNow, onClick: onClose },
        { label: strings.createPasskey, isMain: true, onClick: () => void handleCreate() },
      ]}
    >
      <Typography sx={{ fontWeight: 700 }}>{strings.offerTitle}</Typography>
      <Typography variant="body2" color="textSecondary">
        {strings.offerText}
      </Typography>
      {question}
    </HomeNotice>
  )
}
