import InfoOutlined from '@mui/icons-material/InfoOutlined'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import ShieldOutlined from '@mui/icons-material/ShieldOutlined'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { mirrored } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { NotificationsCard } from '../notifications/settings/NotificationsCard.tsx'
import { SafetyCard } from '../safety/SafetyCard.tsx'
import { useSession } from '../session/session.ts'
import { useSignOut } from '../sign-out/use-sign-out.tsx'
import { Column } from '../ui/Column.tsx'
import { useTitle } from '../ui/use-title.ts'
import { AccountCard } from './AccountCard.tsx'
import { AboutDialog } from './about/AboutDialog.tsx'
import { PrivacyDialog } from './about/PrivacyDialog.tsx'
import { PreferencesCard } from './PreferencesCard.tsx'
import { ProfileHeader } from './ProfileHeader.tsx'
import { ProfileSkeleton } from './ProfileSkeleton.tsx'
import { SecurityCard } from './security/SecurityCard.tsx'
import { PrivacyCard } from './stored/PrivacyCard.tsx'

export function ProfileScreen() {
  useTitle(t('profile.title'))
  const { user } = useSession()
  const { signOut, question } = useSignOut()
  const [reading, setReading] = useState<'about' | 'privacy' | null>(null)
  if (user === null) return <ProfileSkeleton />

  return (
    <Column>
      <ProfileHeader user={user} />
      <Stack spacing={3}>
        <AccountCard user={user} />
        <PreferencesCard user={user} />
        <NotificationsCard user={user} />
        <SecurityCard />
        <SafetyCard user={user} />
        <PrivacyCard />
        <Stack spacing={1.5}>
          <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1.5}>
            <Button
              fullWidth
              size="large"
              variant="outlined"
              color="inherit"
              startIcon={<InfoOutlined />}
              onClick={() => setReading('about')}
              sx={{ borderColor: 'divider' }}
            >
              {t('profile.about')}
            </Button>
            <Button
              fullWidth
              size="large"
              variant="outlined"
              color="inherit"
              startIcon={<ShieldOutlined />}
              onClick={() => setReading('privacy')}
              sx={{ borderColor: 'divider' }}
            >
              {t('profile.privacy')}
            </Button>
          </Stack>
          <Button
            size="large"
            variant="outlined"
            color="error"
            startIcon={<LogoutRounded sx={mirrored} />}
            onClick={signOut}
            sx={{ borderColor: 'divider' }}
          >
            {t('profile.signOut')}
          </Button>
        </Stack>
      </Stack>
      {question}
      <AboutDialog open={reading === 'about'} onClose={() => setReading(null)} />
      <PrivacyDialog open={reading === 'privacy'} onClose={() => setReading(null)} />
    </Column>
  )
}
