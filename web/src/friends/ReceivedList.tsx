import type { ReceivedRequest } from '@hither/contract/friends.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { t } from '../i18n/translate.ts'
import { suggestNotifications } from '../notifications/push/suggestion.ts'
import { useSession } from '../session/session.ts'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../ui/empty/EmptyState.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import type { Person } from './find-people.ts'
import { receivedRequestsQuery, useAcceptFriendRequest, useDeclineFriendRequest } from './friends.api.ts'
import { PeopleList } from './PeopleList.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { PersonRow } from './PersonRow.tsx'

const NotificationSuggestion = lazyComponent(
  async () => (await import('../notifications/push/NotificationSuggestion.tsx')).NotificationSuggestion,
)

export function ReceivedList({ onAdd }: { onAdd: () => void }) {
  const { user } = useSession()
  const requests = useQuery(receivedRequestsQuery())
  const acceptance = useAcceptFriendRequest()
  const refusal = useDeclineFriendRequest()
  const { showError, showNotice } = useSnackbar()

  function handleAccept(request: ReceivedRequest) {
    acceptance
      .mutateAsync(request)
      .then(() => {
        showNotice(t('friends.accepted', { name: shownName(requesterOf(request)) }))
        suggestNotifications()
      })
      .catch(() => showError(t('friends.acceptFailed')))
  }

  function handleDecline(request: ReceivedRequest) {
    refusal.mutateAsync(request).catch(() => showError(t('friends.declineFailed')))
  }

  return (
    <>
      <PeopleList
        label={t('friends.received')}
        people={requests}
        empty={
          <EmptyState
            drawing={<EmptyDrawing subject="received" />}
            text={t('friends.noReceived')}
            action={{ label: t('friends.addFriend'), onClick: onAdd }}
          />
        }
        renderPerson={(request) => (
          <PersonRow person={requesterOf(request)} text={t('friends.wantsToBeFriend')}>
            <Button
              variant="outlined"
              size="small"
              aria-label={t('friends.accept', { name: shownName(requesterOf(request)) })}
              onClick={() => handleAccept(request)}
            >
              {t('friends.acceptShort')}
            </Button>
            <IconButton
              title={t('friends.decline', { name: shownName(requesterOf(request)) })}
              onClick={() => handleDecline(request)}
            >
              <CloseRounded />
            </IconButton>
            <PersonMenu person={requesterOf(request)} />
          </PersonRow>
        )}
      />
      {/* Below the list, where its appearance moves nothing. */}
      {user && (
        <Box sx={{ p: 2 }}>
          <NotificationSuggestion user={user} />
        </Box>
      )}
    </>
  )
}

function requesterOf(request: ReceivedRequest): Person {
  const { requester_id, requester_username, requester_display_name, has_image } = request
  return { user_id: requester_id, username: requester_username, display_name: requester_display_name, has_image }
}
