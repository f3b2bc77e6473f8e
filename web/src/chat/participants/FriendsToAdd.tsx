import type { UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import PersonAddAlt1Rounded from '@mui/icons-material/PersonAddAlt1Rounded'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { isRefusal } from '../../api/api-error.ts'
import { findPeople } from '../../friends/find-people.ts'
import { friendsQuery } from '../../friends/friends.api.ts'
import { t } from '../../i18n/translate.ts'
import { usePresenceKnown } from '../../realtime/live-status.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useAddParticipant } from '../conversations.mutations.ts'

/** A list of the friends who are not in the group yet. */
export function FriendsToAdd({ conversation }: { conversation: Conversation }) {
  const friends = useQuery(friendsQuery())
  const isPresenceKnown = usePresenceKnown()
  const addition = useAddParticipant(conversation.id)
  const { showError } = useSnackbar()
  const members = new Set(conversation.participants.map(({ user_id }) => user_id))
  const others = friends.data && findPeople(friends.data, '').filter(({ user_id }) => !members.has(user_id))

  function handleAdd(userId: UserId) {
    if (addition.isPending) return
    addition
      .mutateAsync(userId)
      .catch((error) =>
        showError(isRefusal(error, 'participant_left') ? t('errors.participant_left') : t('chat.addFailed')),
      )
  }

  if (others === undefined) {
    return friends.isError ? (
      <ErrorAlert
        message={t('chat.friendsFailed')}
        onRetry={() => void friends.refetch()}
        isRetrying={friends.isFetching}
      />
    ) : (
      <Typography role="status" color="textSecondary" sx={{ px: 1 }}>
        {t('chat.newChat.loading')}
      </Typography>
    )
  }
  if (others.length === 0) {
    return (
      <Typography color="textSecondary" sx={{ px: 1, pb: 2 }}>
        {t('chat.conversation.noneToAdd')}
      </Typography>
    )
  }
  return (
    <List disablePadding aria-label={t('chat.newChat.friends')}>
      {others.map(({ user_id, has_image, is_online, name }) => (
        <ListItem key={user_id} disableGutters sx={{ gap: 1.5, minHeight: 60, px: 1 }}>
          <UserAvatar
            userId={user_id}
            name={name}
            hasImage={has_image}
            isOnline={isPresenceKnown && is_online}
            size={40}
          />
          <Typography noWrap sx={{ flex: 1, minWidth: 0 }}>
            <bdi>{name}</bdi>
          </Typography>
          <IconButton
            color="primary"
            title={t('chat.conversation.addOne', { name })}
            aria-busy={addition.isPending && addition.variables === user_id}
            onClick={() => handleAdd(user_id)}
          >
            {addition.isPending && addition.variables === user_id ? (
              <CircularProgress aria-hidden size={20} />
            ) : (
              <PersonAddAlt1Rounded />
            )}
          </IconButton>
        </ListItem>
      ))}
    </List>
  )
}
