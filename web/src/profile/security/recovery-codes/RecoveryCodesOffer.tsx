import KeyRounded from '@mui/icons-material/KeyRounded'
import Typography from '@mui/material/Typography'
import { t } from '../../../i18n/translate.ts'
import { HomeNotice } from '../HomeNotice.tsx'
import { useNewCodes } from './use-new-codes.tsx'

/** Offers recovery codes on a server that cannot send a link to set a new password. */
export function RecoveryCodesOffer({ onClose }: { onClose: () => void }) {
  const { create, dialogs } = useNewCodes(onClose)
  return (
    <HomeNotice
      icon={<KeyRounded />}
      actions={[
        { label: t('profile.signIn.later'), onClick: onClose },
        { label: t('profile.signIn.createCodes'), isMain: true, onClick: () => void create() },
      ]}
    >
      <Typography sx={{ fontWeight: 700 }}>{t('profile.signIn.saveTitle')}</Typography>
      <Typography variant="body2" color="textSecondary">
        {t('profile.signIn.saveText')}
      </Typography>
      {dialogs}
    </HomeNotice>
  )
}
