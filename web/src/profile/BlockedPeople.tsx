import { type BlockedUser } from '@hither/contract/friends.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { shortMonthAndYear } from '../ui/time-words.ts'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { blockedQuery, useUnblock } from './profile.api.ts'
import { RowButton } from './RowButton.tsx'
import { SettingsGroup } from './SettingsGroup.tsx'
import { securityStrings as strings } from './security-strings.ts'

export function BlockedPeople() {
  const blocked = useQuery(blockedQuery())
  const unblocking = useUnblock()
  const { showError, showNotice } = useSnackbar()

  function handleUnblock(person: BlockedUser) {
    unblocking
      .mutateAsync(person)
      .then(() => showNotice(strings.unblocked(person.username)))
      .catch(() => showError(strings.unblockFailed))
  }

  return (
    <SettingsGroup
      title={strings.blocked}
      rows={blocked}
      failure={strings.blockedFailed}
      empty={strings.noneBlocked}
      keyOf={({ user_id }) => user_id}
      renderRow={(person) => (
        <>
          <UserAvatar userId={person.user_id} username={person.username} size={36} />
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography noWrap>{person.username}</Typography>
            <Typography variant="body2" color="textSecondary">
              {strings.blockedSince} {shortMonthAndYear(person.created_at)}
            </Typography>
          </Box>
          <RowButton
            name={strings.unblockOf(person.username)}
            label={strings.unblock}
            onClick={() => handleUnblock(person)}
          />
        </>
      )}
    />
  )
}
