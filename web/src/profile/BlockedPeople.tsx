import { type BlockedUser } from '@hither/contract/friends.ts'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReportDialog } from '../moderation/ReportDialog.tsx'
import { reportStrings } from '../moderation/strings.ts'
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
  const [reported, setReported] = useState<BlockedUser | null>(null)
  const [isReporting, setIsReporting] = useState(false)

  function handleReport(person: BlockedUser) {
    setReported(person)
    setIsReporting(true)
  }

  function handleUnblock(person: BlockedUser) {
    unblocking
      .mutateAsync(person)
      .then(() => showNotice(strings.unblocked(person.username)))
      .catch(() => showError(strings.unblockFailed))
  }

  return (
    <>
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
            <IconButton title={reportStrings.reportOf(person.username)} onClick={() => handleReport(person)}>
              <FlagOutlined fontSize="small" />
            </IconButton>
            <RowButton
              name={strings.unblockOf(person.username)}
              label={strings.unblock}
              onClick={() => handleUnblock(person)}
            />
          </>
        )}
      />
      {reported && (
        <ReportDialog
          open={isReporting}
          // Whoever is blocked shows no picture.
          target={{ kind: 'user', id: reported.user_id, username: reported.username, hasImage: false }}
          onClose={() => setIsReporting(false)}
        />
      )}
    </>
  )
}
