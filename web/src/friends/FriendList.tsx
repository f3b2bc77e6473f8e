import { type Friend } from '@hither/contract/friends.ts'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { shortMonthAndYear } from '../ui/time-words.ts'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { friendsQuery, useRemoveFriend } from './friends.api.ts'
import { PeopleList } from './PeopleList.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { PersonRow } from './PersonRow.tsx'
import { friendStrings } from './strings.ts'

export function FriendList({ onAdd }: { onAdd: () => void }) {
  const friends = useQuery(friendsQuery())
  const removal = useRemoveFriend()
  const navigate = useNavigate()
  const { showError } = useSnackbar()
  const [leaving, setLeaving] = useState<Friend | null>(null)
  const [isAsking, setIsAsking] = useState(false)

  function handleRemove() {
    setIsAsking(false)
    if (leaving !== null) removal.mutateAsync(leaving).catch(() => showError(friendStrings.removeFailed))
  }

  return (
    <>
      <PeopleList
        label={friendStrings.friends}
        people={friends}
        empty={
          <EmptyState
            drawing={<EmptyDrawing subject="friends" />}
            text={friendStrings.noFriends}
            action={{ label: friendStrings.addFriend, onClick: onAdd }}
          />
        }
        renderPerson={(friend) => (
          <PersonRow
            userId={friend.user_id}
            username={friend.username}
            hasImage={friend.has_image}
            isOnline={friend.is_online}
            text={
              friend.is_online
                ? friendStrings.online
                : `${friendStrings.friendsSince} ${shortMonthAndYear(friend.created_at)}`
            }
          >
            <IconButton
              color="primary"
              title={friendStrings.chatWith(friend.username)}
              onClick={() => void navigate('/chat', { state: { userId: friend.user_id } })}
            >
              <ChatBubbleOutlineRounded />
            </IconButton>
            <IconButton
              title={friendStrings.remove(friend.username)}
              onClick={() => {
                setLeaving(friend)
                setIsAsking(true)
              }}
            >
              <PersonRemoveRounded />
            </IconButton>
            <PersonMenu userId={friend.user_id} username={friend.username} hasImage={friend.has_image} />
          </PersonRow>
        )}
      />
      <ConfirmDialog
        open={isAsking}
        title={friendStrings.removeTitle}
        text={friendStrings.removeText}
        confirmLabel={friendStrings.removeConfirm}
        onConfirm={handleRemove}
        onClose={() => setIsAsking(false)}
      >
        {leaving && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mt: 2.5 }}>
            <UserAvatar userId={leaving.user_id} username={leaving.username} hasImage={leaving.has_image} />
            <Typography variant="subtitle1" component="p" noWrap>
              {leaving.username}
            </Typography>
          </Box>
        )}
      </ConfirmDialog>
    </>
  )
}
