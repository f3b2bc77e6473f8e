import Avatar from '@mui/material/Avatar'
import Badge from '@mui/material/Badge'
import { useUserImage } from '../api/images.ts'
import { avatarColour, initialsOf } from './avatar-look.ts'

/** Small renditions are sharp on dense screens up to here. */
const thumbUpToPx = 64

interface Props {
  userId: string
  username: string
  /** Pixels. */
  size?: number
  isOnline?: boolean
  /** The initials stand in while the picture is not there. */
  hasImage?: boolean | undefined
  /** In place of the person's picture: one that is only about to be. */
  src?: string | undefined
}

/** Always stands beside the name it belongs to, so it is silent to screen readers. */
export function UserAvatar({ userId, username, size = 44, isOnline = false, hasImage = false, src }: Props) {
  const image = useUserImage(userId, hasImage, size > thumbUpToPx ? 'full' : 'thumb')
  const shown = src ?? image
  const avatar = (
    <Avatar
      aria-hidden
      alt=""
      {...(shown !== undefined && { src: shown })}
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
