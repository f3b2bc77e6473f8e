import InfoOutlined from '@mui/icons-material/InfoOutlined'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useSession } from '../auth/session.ts'
import { Column } from '../ui/Column.tsx'
import { monthAndYear } from '../ui/time-words.ts'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { useTitle } from '../ui/use-title.ts'
import { AboutDialog } from './AboutDialog.tsx'
import { AccountCard } from './AccountCard.tsx'
import { PreferencesCard } from './PreferencesCard.tsx'
import { profileStrings } from './strings.ts'

const avatarPx = 100

export function ProfileScreen() {
  useTitle(profileStrings.title)
  const { user, signOut } = useSession()
  const [isAboutOpen, setIsAboutOpen] = useState(false)
  if (user === null) return null
  const name = user.username || user.email

  return (
    <Column>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', pt: 1, pb: 4 }}>
        <UserAvatar userId={user.id} username={name} size={avatarPx} />
        <Typography variant="h2" component="h1" sx={{ mt: 2, maxWidth: '100%', overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5 }}>
          {profileStrings.memberSince} {monthAndYear(user.created_at)}
        </Typography>
      </Box>
      <Stack spacing={3}>
        <AccountCard user={user} />
        <PreferencesCard user={user} />
        <Stack spacing={1.5}>
          <Button
            size="large"
            variant="outlined"
            color="inherit"
            startIcon={<InfoOutlined />}
            onClick={() => setIsAboutOpen(true)}
            sx={{ borderColor: 'divider' }}
          >
            {profileStrings.about}
          </Button>
          <Button
            size="large"
            variant="outlined"
            color="error"
            startIcon={<LogoutRounded />}
            onClick={() => void signOut()}
            sx={{ borderColor: 'divider' }}
          >
            {profileStrings.signOut}
          </Button>
        </Stack>
      </Stack>
      <AboutDialog open={isAboutOpen} onClose={() => setIsAboutOpen(false)} />
    </Column>
  )
}
