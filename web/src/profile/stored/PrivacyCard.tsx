import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import Box from '@mui/material/Box'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'

export function PrivacyCard() {
  return (
    <SettingsCard title={t('profile.stored.card')}>
      <ListItemButton component={Link} to="/profile/stored" sx={{ gap: 1, minHeight: 68 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography sx={{ fontWeight: 600 }}>{t('profile.stored.title')}</Typography>
          <Typography variant="body2" color="textSecondary">
            {t('profile.stored.text')}
          </Typography>
        </Box>
        <ChevronRightRounded aria-hidden sx={{ ...mirrored, color: 'text.secondary' }} />
      </ListItemButton>
    </SettingsCard>
  )
}
