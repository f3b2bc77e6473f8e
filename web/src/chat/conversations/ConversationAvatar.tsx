import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import GroupRounded from '@mui/icons-material/GroupRounded'
import PlaceRounded from '@mui/icons-material/PlaceRounded'
import Avatar from '@mui/material/Avatar'
import { avatarColour } from '../../ui/avatar-style.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { nameOf } from '../conversation-name.ts'

interface Props {
  conversation: Pick<ConversationSummary, 'id' | 'type' | 'name' | 'ping_id' | 'direct_participant'>
  size: number
  isOnline?: boolean
}

export function ConversationAvatar({ conversation, size, isOnline = false }: Props) {
  const { id, type, ping_id, direct_participant } = conversation
  if (type === 'direct') {
    return (
      <UserAvatar
        userId={direct_participant?.user_id ?? id}
        name={nameOf(conversation)}
        hasImage={direct_participant?.has_image}
        size={size}
        isOnline={isOnline}
      />
    )
  }
  const Icon = ping_id === null ? GroupRounded : PlaceRounded
  return (
    <Avatar aria-hidden sx={{ width: size, height: size, bgcolor: avatarColour(id), color: '#fff' }}>
      <Icon sx={{ fontSize: size * 0.55 }} />
    </Avatar>
  )
}
