import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Username } from '../friends/Username.tsx'
import { t } from '../i18n/translate.ts'
import { monthAndYear } from '../ui/format-time.ts'
import { ProfilePicture } from './ProfilePicture.tsx'

export function ProfileHeader({ user }: { user: User }) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', pt: 0.5, pb: 4 }}>
      <ProfilePicture user={user} />
      <Typography variant="h2" component="h1" sx={{ mt: 2, maxWidth: '100%', overflowWrap: 'anywhere' }}>
        <bdi>{shownName(user) || user.email}</bdi>
      </Typography>
      <Username of={user} />
      <Typography color="textSecondary" sx={{ mt: 0.5 }}>
        {t('profile.memberSince')} {monthAndYear(user.created_at)}
      </Typography>
    </Box>
  )
}
