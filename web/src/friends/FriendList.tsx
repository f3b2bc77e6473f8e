import type { Friend } from '@hither/contract/friends.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../i18n/translate.ts'
import { usePresenceKnown } from '../realtime/live-status.ts'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../ui/empty/EmptyState.tsx'
import { shortMonthAndYear } from '../ui/format-time.ts'
import { FriendFilter } from './FriendFilter.tsx'
import { findPeople } from './find-people.ts'
import { friendsQuery } from './friends.api.ts'
import { PeopleList } from './PeopleList.tsx'
import { PersonDialog } from './PersonDialog.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { PersonRow } from './PersonRow.tsx'
import { RemoveFriendDialog } from './RemoveFriendDialog.tsx'

/** Fewer friends fit on one screen of a phone. */
const filteredFrom = 8

interface Props {
  onAdd: () => void
  renderPins: (userId: Friend['user_id']) => ReactNode
}

export function FriendList({ onAdd, renderPins }: Props) {
  const friends = useQuery(friendsQuery())
  const navigate = useNavigate()
  const isPresenceKnown = usePresenceKnown()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Friend | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [removing, setRemoving] = useState<Friend | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const count = friends.data?.length ?? 0
  const found = friends.data && findPeople(friends.data, search)

  function handleMessage({ user_id: userId }: Friend) {
    void navigate('/chat', { state: { userId } })
  }

  function handleRemove(friend: Friend) {
    setRemoving(friend)
    setIsAsking(true)
  }

  return (
    <>
      {count >= filteredFrom && <FriendFilter value={search} onChange={setSearch} />}
      <PeopleList
        label={t('friends.friends')}
        people={{ ...friends, data: found }}
        empty={
          count > 0 ? (
            <Typography role="status" color="textSecondary" sx={{ py: 2 }}>
              {t('friends.noneFound')}
            </Typography>
          ) : (
            <EmptyState
              drawing={<EmptyDrawing subject="friends" />}
              text={t('friends.noFriends')}
              action={{ label: t('friends.addFriend'), onClick: onAdd }}
            />
          )
        }
        renderPerson={(friend) => {
          const isOnline = isPresenceKnown && friend.is_online
          return (
            <PersonRow
              person={friend}
              isOnline={isOnline}
              text={
                isOnline ? t('friends.online') : `${t('friends.friendsSince')} ${shortMonthAndYear(friend.created_at)}`
              }
              onOpen={() => {
                setShown(friend)
                setIsOpen(true)
              }}
            >
              <IconButton
                color="primary"
                title={t('friends.chatWith', { name: shownName(friend) })}
                onClick={() => handleMessage(friend)}
              >
                <ChatBubbleOutlineRounded />
              </IconButton>
              <IconButton title={t('friends.remove', { name: shownName(friend) })} onClick={() => handleRemove(friend)}>
                <PersonRemoveRounded />
              </IconButton>
              <PersonMenu person={friend} />
            </PersonRow>
          )
        }}
      />
      {shown && (
        <PersonDialog
          open={isOpen}
          person={shown}
          pins={renderPins(shown.user_id)}
          onMessage={() => handleMessage(shown)}
          onClose={() => setIsOpen(false)}
        />
      )}
      {removing && <RemoveFriendDialog open={isAsking} friend={removing} onClose={() => setIsAsking(false)} />}
    </>
  )
}
