import { type Conversation } from '@hither/contract/messages.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { friendsQuery } from '../friends/friends.api.ts'
import { ReportButton } from '../moderation/ReportButton.tsx'
import { uiStrings } from '../ui/strings.ts'
import { monthAndYear } from '../ui/time-words.ts'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { personQuery } from './chat.api.ts'
import { conversationStrings } from './strings.ts'

interface Props {
  open: boolean
  person: NonNullable<Conversation['direct_participant']>
  onClose: () => void
}

/** Who the other one of a direct conversation is. */
export function ProfileDialog({ open, person, onClose }: Props) {
  const titleId = useId()
  const { user_id, username, has_image } = person
  const profile = useQuery({ ...personQuery(user_id), enabled: open })
  const { data: isOnline = false } = useQuery({
    ...friendsQuery(),
    select: (friends) => friends.some((friend) => friend.user_id === user_id && friend.is_online),
  })
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <IconButton title={uiStrings.close} onClick={onClose} sx={{ position: 'absolute', top: 12, right: 12 }}>
        <CloseRounded />
      </IconButton>
      <DialogContent
        sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', textAlign: 'center', gap: 0.5, py: 5 }}
      >
        <UserAvatar userId={user_id} username={username} hasImage={has_image} isOnline={isOnline} size={100} />
        <Typography id={titleId} variant="h3" component="h2" sx={{ mt: 2, overflowWrap: 'anywhere' }}>
          {username}
        </Typography>
        {isOnline && <Typography color="textSecondary">{conversationStrings.online}</Typography>}
        <Typography color="textSecondary" sx={{ minHeight: 24 }}>
          {profile.data && conversationStrings.memberSince(monthAndYear(profile.data.created_at))}
          {profile.isError && conversationStrings.profileFailed}
        </Typography>
        <ReportButton target={{ kind: 'user', id: user_id, username, hasImage: has_image }} />
      </DialogContent>
    </Dialog>
  )
}
