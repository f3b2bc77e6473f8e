import KeyRounded from '@mui/icons-material/KeyRounded'
import Typography from '@mui/material/Typography'
import { useEffect, useEffectEvent } from 'react'
import { t } from '../../../i18n/translate.ts'
import { HomeNotice } from '../HomeNotice.tsx'
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
        { label: t('profile.signIn.notNow'), onClick: onClose },
        { label: t('profile.signIn.createPasskey'), isMain: true, onClick: () => void handleCreate() },
      ]}
    >
      <Typography sx={{ fontWeight: 700 }}>{t('profile.signIn.offerTitle')}</Typography>
      <Typography variant="body2" color="textSecondary">
        {t('profile.signIn.offerText')}
      </Typography>
      {question}
    </HomeNotice>
  )
}
