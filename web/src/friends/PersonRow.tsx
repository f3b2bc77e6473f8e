import Box from '@mui/material/Box'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { type ReactNode } from 'react'
import { UserAvatar } from '../ui/UserAvatar.tsx'

interface Props {
  userId: string
  username: string
  hasImage: boolean
  text: ReactNode
  isOnline?: boolean
  /** Buttons at the end of the row. */
  children: ReactNode
}

export function PersonRow({ userId, username, hasImage, text, isOnline = false, children }: Props) {
  return (
    <ListItem sx={{ flexWrap: 'wrap', columnGap: 1.75, rowGap: 1, px: { xs: 1.5, sm: 2 }, py: 1.5, minHeight: 72 }}>
      <UserAvatar userId={userId} username={username} hasImage={hasImage} size={48} isOnline={isOnline} />
      {/* Where the buttons would leave less than this for the name, they stand below it. */}
      <Box sx={{ flex: '1 1 110px', minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ lineHeight: 1.25, overflowWrap: 'anywhere' }}>
          {username}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {text}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: { xs: 0.25, sm: 0.75 }, flexShrink: 0, ml: 'auto' }}>
        {children}
      </Box>
    </ListItem>
  )
}
