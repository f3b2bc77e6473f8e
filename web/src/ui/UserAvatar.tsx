import Avatar from '@mui/material/Avatar'
import Badge from '@mui/material/Badge'
import { useUserImage } from '../api/images.ts'
import { avatarColour, colourAt, initialsOf } from './avatar-style.ts'

/** Up to this size, in CSS pixels, the small rendition is sharp on dense screens. */
const thumbUpToPx = 64

interface Props {
  userId: string
  name: string
  /** Replaces the color derived from `userId`, for viewers who may not know the id. An index of the contract. */
  colour?: number | undefined
  /** The diameter in CSS pixels. */
  size?: number
  isOnline?: boolean
  /** Whether the user has an image. The initials are shown until it has loaded. */
  hasImage?: boolean | undefined
  /** An image that replaces the stored one, for example a preview before the upload. */
  src?: string | undefined
}

/** The avatar of a user. Screen readers ignore it, because the name is always next to it. */
export function UserAvatar({ userId, name, colour, size = 44, isOnline = false, hasImage = false, src }: Props) {
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
        bgcolor: colour === undefined ? avatarColour(userId) : colourAt(colour),
        color: '#fff',
        fontSize: size * 0.38,
        fontWeight: 700,
      }}
    >
      {initialsOf(name)}
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
