import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { monthAndYear } from '../ui/time-words.ts'
import { ProfilePicture } from './ProfilePicture.tsx'
import { profileStrings } from './strings.ts'

export function ProfileHeader({ user }: { user: User }) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', pt: 0.5, pb: 4 }}>
      <ProfilePicture user={user} />
      <Typography variant="h2" component="h1" sx={{ mt: 2, maxWidth: '100%', overflowWrap: 'anywhere' }}>
        {user.username || user.email}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5 }}>
        {profileStrings.memberSince} {monthAndYear(user.created_at)}
      </Typography>
    </Box>
  )
}
