import type { AdminUser } from '@hither/contract/moderation.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { shortMonthAndYear } from '../../ui/format-time.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { bytesText } from '../server-status/bytes-text.ts'
import { AdminPersonMenu } from './AdminPersonMenu.tsx'

export function PersonCard({ person }: { person: AdminUser }) {
  const { suspension, open_reports: openReports } = person
  return (
    <Card component="article" aria-label={person.username} sx={{ display: 'flex', gap: 1.5, p: 1.5 }}>
      <UserAvatar userId={person.id} name={shownName(person)} size={44} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="h2" variant="subtitle1" sx={{ overflowWrap: 'anywhere' }}>
          {person.username}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('admin.joined')} {shortMonthAndYear(person.created_at)}
          {person.picture_bytes > 0 && ` · ${t('admin.pictures')}: ${bytesText(person.picture_bytes)}`}
        </Typography>
        {(person.is_admin || openReports > 0) && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, mt: 0.75 }}>
            {person.is_admin && <Chip size="small" color="primary" variant="outlined" label={t('admin.admin')} />}
            {openReports > 0 && (
              <Chip
                size="small"
                color="warning"
                variant="outlined"
                label={t('admin.openReports', { count: openReports })}
              />
            )}
          </Box>
        )}
        {suspension && (
          <Typography variant="body2" color="error" sx={{ mt: 0.75, overflowWrap: 'anywhere' }}>
            {suspension.suspended_until === null ? (
              t('admin.suspendedForGood')
            ) : (
              <>
                {t('admin.suspendedUntil')} <RelativeTime at={suspension.suspended_until} />
              </>
            )}
            {`: ${suspension.reason}`}
          </Typography>
        )}
      </Box>
      <AdminPersonMenu person={person} />
    </Card>
  )
}
