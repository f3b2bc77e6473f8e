import type { BlockedUser } from '@hither/contract/friends.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { blockedQuery, useUnblock } from '../friends/blocks.api.ts'
import { t } from '../i18n/translate.ts'
import { ReportDialog } from '../moderation/ReportDialog.tsx'
import { shortMonthAndYear } from '../ui/format-time.ts'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { SettingsGroup } from '../ui/settings/SettingsGroup.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'

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
      .then(() => showNotice(t('safety.blocked.unblocked', { name: shownName(person) })))
      .catch(() => showError(t('safety.blocked.unblockFailed')))
  }

  return (
    <>
      <SettingsGroup
        title={t('safety.blocked.blocked')}
        rows={blocked}
        failure={t('safety.blocked.blockedFailed')}
        empty={t('safety.blocked.noneBlocked')}
        keyOf={({ user_id }) => user_id}
        renderRow={(person) => (
          <>
            <UserAvatar userId={person.user_id} name={shownName(person)} size={36} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography noWrap>
                <bdi>{shownName(person)}</bdi>
              </Typography>
              <Typography variant="body2" color="textSecondary">
                {t('safety.blocked.blockedSince')} {shortMonthAndYear(person.created_at)}
              </Typography>
            </Box>
            <IconButton
              title={t('moderation.report.reportOf', { name: shownName(person) })}
              onClick={() => handleReport(person)}
            >
              <FlagOutlined fontSize="small" />
            </IconButton>
            <RowButton
              name={t('safety.blocked.unblockOf', { name: shownName(person) })}
              label={t('safety.blocked.unblock')}
              onClick={() => handleUnblock(person)}
            />
          </>
        )}
      />
      {reported && (
        <ReportDialog
          open={isReporting}
          // Images of blocked users are not shown.
          target={{ kind: 'user', id: reported.user_id, name: shownName(reported), hasImage: false }}
          onClose={() => setIsReporting(false)}
        />
      )}
    </>
  )
}
