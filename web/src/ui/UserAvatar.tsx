import Avatar from '@mui/material/Avatar'
import Badge from '@mui/material/Badge'
import { avatarColour, initialsOf } from './avatar-look.ts'

interface Props {
  userId: string
  username: string
  /** Pixels. */
  size?: number
  isOnline?: boolean
  /** The person's picture; the initials stand in while there is none. */
  src?: string | undefined
}

/** Always stands beside the name it belongs to, so it is silent to screen readers. */
export function UserAvatar({ userId, username, size = 44, isOnline = false, src }: Props) {
  const avatar = (
    <Avatar
      aria-hidden
      alt=""
      {...(src !== undefined && { src })}
      sx={{
        width: size,
        height: size,
        bgcolor: avatarColour(userId),
        color: '#fff',
        fontSize: size * 0.38,
        fontWeight: 700,
      }}
    >
      {initialsOf(username)}
    </Avatar>
  )
  if (!isOnline) return avatar
  return (
    <Badge
      variant="dot"
      overlap="circular"
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      sx={{
        '& .MuiBadge-dot': {
          width: 12,
          height: 12,
          borderRadius: '50%',
          bgcolor: '#2FB573',
          boxShadow: (theme) => `0 0 0 2px ${theme.vars.palette.background.paper}`,
        },
      }}
    >
      {avatar}
    </Badge>
  )
}
