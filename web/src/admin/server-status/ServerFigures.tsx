import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { formattingLocale } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { exactTime } from '../../ui/format-time.ts'
import { statusQuery } from '../admin.api.ts'
import { bytesText } from './bytes-text.ts'

const count = new Intl.NumberFormat(formattingLocale)

/** The usage and performance figures of the server. */
export function ServerFigures() {
  const { data: status, isError, error, isFetching, refetch } = useQuery(statusQuery())
  if (status === undefined) {
    if (!isError) return <Skeleton variant="rounded" height={320} />
    return (
      <ErrorAlert
        message={messageOf(error, t('moderation.loadFailed'))}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  }
  const { waiting } = status
  const rows: [string, string][] = [
    [t('admin.version'), status.version],
    [t('admin.since'), exactTime(status.started_at)],
    [t('admin.userCount'), count.format(status.users)],
    [t('admin.livePings'), count.format(status.live_pings)],
    [
      t('admin.database'),
      `${t(`admin.databases.${status.database}`, { version: status.database_version })}, ${bytesText(status.database_bytes)}`,
    ],
    [
      t('admin.pictures'),
      status.pictures === 0 ? count.format(0) : `${count.format(status.pictures)} (${bytesText(status.picture_bytes)})`,
    ],
    ...status.most_pictures.map(({ username, picture_bytes }): [string, string] => [
      t('admin.picturesOf', { name: username }),
      t('admin.ofShare', { used: bytesText(picture_bytes), share: bytesText(status.picture_bytes_per_user_max) }),
    ]),
    [t('admin.diskFree'), status.disk_free_bytes === null ? t('admin.unknown') : bytesText(status.disk_free_bytes)],
    [t('admin.waiting'), t('admin.waitingText', { mails: waiting.mails, pushes: waiting.pushes })],
    [t('admin.erasing'), count.format(waiting.files_to_erase)],
  ]
  return (
    <Card component="dl" sx={{ m: 0, px: 2, py: 0.5 }}>
      {rows.map(([label, value]) => (
        <Box
          key={label}
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            justifyContent: 'space-between',
            columnGap: 2,
            py: 1.25,
            '& + &': { borderTop: 1, borderColor: 'divider' },
          }}
        >
          <Typography component="dt" color="textSecondary">
            {label}
          </Typography>
          <Typography component="dd" sx={{ m: 0, fontWeight: 600, overflowWrap: 'anywhere' }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Card>
  )
}
