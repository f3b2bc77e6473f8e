import { shownName } from '@hither/contract/runtime/users.ts'
import type { UserLookup } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { t } from '../i18n/translate.ts'
import { ReportButton } from '../moderation/ReportButton.tsx'
import { useSession } from '../session/session.ts'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { Username } from './Username.tsx'

interface Props {
  person: UserLookup
  isSending: boolean
  canSend: boolean
  onSend: () => void
}

export function FoundPerson({ person, isSending, canSend, onSend }: Props) {
  const { user } = useSession()
  const isViewer = user?.id === person.user_id
  return (
    <Card sx={{ p: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.75 }}>
        <UserAvatar userId={person.user_id} name={shownName(person)} hasImage={person.has_image} size={52} />
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="subtitle1" component="p" noWrap>
            <bdi>{shownName(person)}</bdi>
          </Typography>
          <Username of={person} />
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere', fontSize: '0.75rem' }}>
            {t('friends.userId')}: {person.user_id}
          </Typography>
        </Box>
      </Box>
      {isViewer && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {t('errors.own_friend_request')}
        </Typography>
      )}
      {canSend && !isViewer && (
        <LoadingButton variant="contained" fullWidth isWorking={isSending} onClick={onSend} sx={{ mt: 2 }}>
          {t('friends.sendRequest')}
        </LoadingButton>
      )}
      {!isViewer && (
        <Box sx={{ mt: 0.5, mb: -1, textAlign: 'center' }}>
          <ReportButton
            target={{ kind: 'user', id: person.user_id, name: shownName(person), hasImage: person.has_image }}
          />
        </Box>
      )}
    </Card>
  )
}
