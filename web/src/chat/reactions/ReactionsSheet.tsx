import type { UserId } from '@hither/contract/ids.ts'
import type { ReactionGroup } from '@hither/contract/messages/message-parts.ts'
import type { Message, Participant } from '@hither/contract/messages/messages.ts'
import Box from '@mui/material/Box'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { reactionsQuery } from '../chat.api.ts'
import { emojiName } from './emoji-names.ts'
import { Sheet } from './Sheet.tsx'

interface Props {
  open: boolean
  message: Message
  groups: readonly ReactionGroup[]
  participants: readonly Participant[]
  viewerId: UserId
  nameOf: (userId: UserId, username: string) => string
  /** Removes the viewer's own reaction. */
  onRemove: () => void
  onClose: () => void
}

/** Who reacted to a message, and with what. */
export function ReactionsSheet({ open, message, groups, participants, viewerId, nameOf, onRemove, onClose }: Props) {
  const members = new Map(participants.map((one) => [one.user_id, one]))
  // The names of those who have left the conversation are not known here.
  const isSomeoneUnknown = groups.some(({ user_ids }) => user_ids.some((userId) => !members.has(userId)))
  const { data } = useQuery({ ...reactionsQuery(message.id), enabled: open && isSomeoneUnknown })
  const usernames = new Map(data?.map(({ user_id, username }) => [user_id, username]))

  return (
    <Sheet open={open} title={t('chat.reaction.title')} onClose={onClose}>
      <List sx={{ py: 0 }}>
        {groups.flatMap(({ emoji, user_ids }) =>
          user_ids.map((userId) => {
            const name = nameOf(userId, usernames.get(userId) ?? t('chat.reaction.formerMember'))
            const isOwn = userId === viewerId
            const row = (
              <Row
                userId={userId}
                name={isOwn ? t('chat.message.you') : name}
                hasImage={members.get(userId)?.has_image ?? false}
                hint={isOwn ? t('chat.reaction.remove') : undefined}
                emoji={emoji}
              />
            )
            return (
              <ListItem key={userId} disablePadding={isOwn} sx={{ ...(!isOwn && { px: 3, py: 1 }) }}>
                {isOwn ? (
                  <ListItemButton onClick={onRemove} sx={{ px: 3, py: 1 }}>
                    {row}
                  </ListItemButton>
                ) : (
                  row
                )}
              </ListItem>
            )
          }),
        )}
      </List>
    </Sheet>
  )
}

interface RowProps {
  userId: UserId
  name: string
  hasImage: boolean
  hint: string | undefined
  emoji: string
}

function Row({ userId, name, hasImage, hint, emoji }: RowProps): ReactNode {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, width: '100%', minWidth: 0, minHeight: 44 }}>
      <UserAvatar userId={userId} name={name} hasImage={hasImage} size={40} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box component="bdi" sx={{ display: 'block', fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Box>
        {hint !== undefined && <Box sx={{ fontSize: '0.875rem', color: 'text.secondary' }}>{hint}</Box>}
      </Box>
      <Box component="span" role="img" aria-label={emojiName(emoji)} sx={{ fontSize: '1.5rem', lineHeight: 1 }}>
        {emoji}
      </Box>
    </Box>
  )
}
