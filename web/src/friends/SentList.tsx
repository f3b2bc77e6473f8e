import type { SentRequest } from '@hither/contract/friends.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { t } from '../i18n/translate.ts'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../ui/empty/EmptyState.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import type { Person } from './find-people.ts'
import { sentRequestsQuery, useCancelFriendRequest } from './friends.api.ts'
import { PeopleList } from './PeopleList.tsx'
import { PersonRow } from './PersonRow.tsx'

export function SentList({ onAdd }: { onAdd: () => void }) {
  const requests = useQuery(sentRequestsQuery())
  const cancellation = useCancelFriendRequest()
  const { showError } = useSnackbar()

  function handleCancel(request: SentRequest) {
    cancellation.mutateAsync(request).catch(() => showError(t('friends.cancelFailed')))
  }

  return (
    <PeopleList
      label={t('friends.sent')}
      people={requests}
      empty={
        <EmptyState
          drawing={<EmptyDrawing subject="sent" />}
          text={t('friends.noSent')}
          action={{ label: t('friends.addFriend'), onClick: onAdd }}
        />
      }
      renderPerson={(request) => (
        <PersonRow person={requestedOf(request)} text={t('friends.requestPending')}>
          <Button
            variant="outlined"
            size="small"
            aria-label={t('friends.cancelRequest', { name: shownName(requestedOf(request)) })}
            onClick={() => handleCancel(request)}
          >
            {t('friends.cancelShort')}
          </Button>
        </PersonRow>
      )}
    />
  )
}

function requestedOf(request: SentRequest): Person {
  const { requested_id, requested_username, requested_display_name, has_image } = request
  return { user_id: requested_id, username: requested_username, display_name: requested_display_name, has_image }
}
