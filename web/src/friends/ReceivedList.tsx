import { type ReceivedRequest } from '@hither/contract/friends.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { suggestNotifications } from '../notifications/suggestion.ts'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { receivedRequestsQuery, useAcceptFriendRequest, useDeclineFriendRequest } from './friends.api.ts'
import { PeopleList } from './PeopleList.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { PersonRow } from './PersonRow.tsx'
import { friendStrings } from './strings.ts'

export function ReceivedList({ onAdd }: { onAdd: () => void }) {
  const requests = useQuery(receivedRequestsQuery())
  const acceptance = useAcceptFriendRequest()
  const refusal = useDeclineFriendRequest()
  const { showError, showNotice } = useSnackbar()

  function handleAccept(request: ReceivedRequest) {
    acceptance
      .mutateAsync(request)
      .then(() => {
        showNotice(friendStrings.accepted(request.requester_username))
        suggestNotifications()
      })
      .catch(() => showError(friendStrings.acceptFailed))
  }

  function handleDecline(request: ReceivedRequest) {
    refusal.mutateAsync(request).catch(() => showError(friendStrings.declineFailed))
  }

  return (
    <PeopleList
      label={friendStrings.received}
      people={requests}
      empty={
        <EmptyState
          drawing={<EmptyDrawing subject="received" />}
          text={friendStrings.noReceived}
          action={{ label: friendStrings.addFriend, onClick: onAdd }}
        />
      }
      renderPerson={(request) => (
        <PersonRow
          userId={request.requester_id}
          username={request.requester_username}
          hasImage={request.has_image}
          text={friendStrings.wantsToBeFriend}
        >
          <Button
            variant="contained"
            size="small"
            aria-label={friendStrings.accept(request.requester_username)}
            onClick={() => handleAccept(request)}
          >
            {friendStrings.acceptShort}
          </Button>
          <IconButton title={friendStrings.decline(request.requester_username)} onClick={() => handleDecline(request)}>
            <CloseRounded />
          </IconButton>
          <PersonMenu
            userId={request.requester_id}
            username={request.requester_username}
            hasImage={request.has_image}
          />
        </PersonRow>
      )}
    />
  )
}
