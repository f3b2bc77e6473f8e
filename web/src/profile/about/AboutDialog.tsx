import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { t } from '../../i18n/translate.ts'
import { BrandMark } from '../../ui/BrandMark.tsx'
import { InfoDialog } from './InfoDialog.tsx'

export function AboutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const serverName = useQuery(clientConfigQuery()).data?.server_name
  const title = (
    <>
      <BrandMark size={36} />
      {t('profile.aboutHither')}
    </>
  )
  return (
    <InfoDialog open={open} title={title} onClose={onClose}>
      {serverName && (
        <Typography dir="auto" color="textSecondary" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
          {serverName}
        </Typography>
      )}
      <Typography sx={{ fontWeight: 700, mb: 1.5 }}>{t('profile.aboutLine')}</Typography>
      {([0, 1] as const).map((index) => (
        <Typography key={index} color="textSecondary" sx={{ mb: 1.5 }}>
          {t(`profile.aboutText.${index}`)}
        </Typography>
      ))}
    </InfoDialog>
  )
}
