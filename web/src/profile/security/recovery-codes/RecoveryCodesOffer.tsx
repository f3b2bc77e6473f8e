import KeyRounded from '@mui/icons-material/KeyRounded'
import Typography from '@mui/material/Typography'
import { HomeNotice } from '../HomeNotice.tsx'
import { signInStrings as strings } from '../sign-in-strings.ts'
import { useNewCodes } from './use-new-codes.tsx'

/** Offers recovery codes on a server that cannot send a link to set a new password. */
export function RecoveryCodesOffer({ onClose }: { onClose: () => void }) {
  const { create, dialogs } = useNewCodes(onClose)
  return (
    <HomeNotice
      icon={<KeyRounded />}
      actions={[
        { label: strings.later, onClick: onClose },
        { label: strings.createCodes, isMain: true, onClick: () => void create() },
      ]}
    >
      <Typography sx={{ fontWeight: 700 }}>{strings.saveTitle}</Typography>
      <Typography variant="body2" color="textSecondary">
        {strings.saveText}
      </Typography>
      {dialogs}
    </HomeNotice>
  )
}
