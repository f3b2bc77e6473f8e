import { type SentRequest } from '@hither/contract/friends.ts'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { EmptyDrawing } from '../ui/EmptyDrawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { sentRequestsQuery, useCancelFriendRequest } from './friends.api.ts'
import { PeopleList } from './PeopleList.tsx'
import { PersonRow } from './PersonRow.tsx'
import { friendStrings } from './strings.ts'

export function SentList({ onAdd }: { onAdd: () => void }) {
  const requests = useQuery(sentRequestsQuery())
  const cancellation = useCancelFriendRequest()
  const { showError } = useSnackbar()

  function handleCancel(request: SentRequest) {
    cancellation.mutateAsync(request).catch(() => showError(friendStrings.cancelFailed))
  }

  return (
    <PeopleList
      label={friendStrings.sent}
      people={requests}
      empty={
        <EmptyState
          drawing={<EmptyDrawing subject="sent" />}
          text={friendStrings.noSent}
          action={{ label: friendStrings.addFriend, onClick: onAdd }}
        />
      }
      renderPerson={(request) => (
        <PersonRow
          userId={request.requested_id}
          username={request.requested_username}
          hasImage={request.has_image}
          text={friendStrings.requestPending}
        >
          <Button
            variant="outlined"
            size="small"
            aria-label={friendStrings.cancelRequest(request.requested_username)}
            onClick={() => handleCancel(request)}
          >
            {friendStrings.cancelShort}
          </Button>
        </PersonRow>
      )}
    />
  )
}
