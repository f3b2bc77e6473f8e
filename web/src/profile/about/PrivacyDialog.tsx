import { sourceLanguage } from '@hither/contract/runtime/locales.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { listedLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { InfoDialog } from './InfoDialog.tsx'
import { othersText, privacySections } from './privacy-policy.ts'

export function PrivacyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const config = useQuery(clientConfigQuery()).data
  const others = { heading: t('privacy.othersHeading'), text: othersText(config) }
  return (
    <InfoDialog open={open} title={t('privacy.title')} maxWidth="sm" onClose={onClose}>
      <Typography variant="body2" color="textSecondary">
        {t('privacy.lastUpdated')}
      </Typography>
      <Typography sx={{ mt: 2 }}>{t('privacy.summary')}</Typography>
      {[...privacySections(config), others].map(({ heading, text }) => (
        <Box key={heading} component="section" sx={{ mt: 3 }}>
          <Typography component="h3" variant="subtitle1" sx={{ fontWeight: 700, mb: 0.5 }}>
            {heading}
          </Typography>
          {text.map((paragraph) => (
            <Typography key={paragraph} color="textSecondary" sx={{ mb: 1 }}>
              {paragraph}
            </Typography>
          ))}
        </Box>
      ))}
      {listedLanguage !== sourceLanguage && <Typography sx={{ mt: 3 }}>{t('privacy.translated')}</Typography>}
    </InfoDialog>
  )
}
