import type { StoredItem } from '@hither/contract/stored-data.ts'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import Box from '@mui/material/Box'
import ListItemButton from '@mui/material/ListItemButton'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { messageOf } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Column } from '../../ui/Column.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { dayAndTime } from '../../ui/format-time.ts'
import { SubpageHeading } from '../../ui/SubpageHeading.tsx'
import { SettingsCard } from '../../ui/settings/SettingsCard.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { StoredRecords } from './StoredRecords.tsx'
import { storedDataQuery } from './stored-data.api.ts'
import { storedAddresses, storedOf, storedText } from './stored-data.rules.ts'

const sections = ['date', 'you', 'account'] as const

/** What the server and this device still store about the user, and when it goes. */
export function StoredScreen() {
  useTitle(t('profile.stored.title'))
  const stored = useQuery(storedDataQuery())
  return (
    <Column>
      <Box sx={{ mb: 2 }}>
        <SubpageHeading title={t('profile.stored.title')} backTo="/profile" backLabel={t('profile.stored.back')} />
      </Box>
      <Stack spacing={3}>
        {content()}
        <StoredRecords />
        <Box sx={{ px: 0.5, color: 'text.secondary' }}>
          <Typography variant="body2">{t('profile.stored.notListed')}</Typography>
          {stored.data?.backup_keep_days != null && (
            <Typography variant="body2">
              {t('profile.stored.backups', { days: stored.data.backup_keep_days })}
            </Typography>
          )}
        </Box>
      </Stack>
    </Column>
  )

  function content() {
    const { data, isError, failureCount } = stored
    const isEarlier = isError || failureCount > 0
    if (data === undefined && !isError)
      return <Skeleton variant="rounded" height={160} aria-label={t('profile.stored.loading')} />
    return (
      <>
        {isError && (
          <ErrorAlert
            message={messageOf(stored.error, t('profile.stored.failed'))}
            onRetry={() => void stored.refetch()}
            isRetrying={stored.isFetching}
          />
        )}
        {data !== undefined && isEarlier && (
          <Typography variant="body2" color="textSecondary" sx={{ px: 0.5 }}>
            {t('profile.stored.asOf', { time: dayAndTime(data.as_of, serverNow()) })}
          </Typography>
        )}
        {sections.map((section) => {
          const items = storedOf(data?.items ?? [], section)
          return (
            items.length > 0 && (
              <SettingsCard key={section} title={t(`profile.stored.sections.${section}`)}>
                {items.map((item) => (
                  <StoredLine key={item.kind} item={item} />
                ))}
              </SettingsCard>
            )
          )
        })}
      </>
    )
  }
}

function StoredLine({ item }: { item: StoredItem }) {
  return (
    <ListItemButton component={Link} to={storedAddresses[item.kind]} sx={{ gap: 1, minHeight: 52 }}>
      <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{storedText(item)}</Typography>
      <ChevronRightRounded aria-hidden fontSize="small" sx={{ ...mirrored, color: 'text.secondary' }} />
    </ListItemButton>
  )
}
