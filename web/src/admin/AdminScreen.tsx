import Box from '@mui/material/Box'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'
import { useTitle } from '../ui/use-title.ts'
import { ActionsTab } from './ActionsTab.tsx'
import { AdminNotFound } from './AdminNotFound.tsx'
import { clearAdminCode } from './admin-code.ts'
import { ClaimForm } from './ClaimForm.tsx'
import { EntranceTab } from './invitations/EntranceTab.tsx'
import { PeopleTab } from './people/PeopleTab.tsx'
import { ReportsTab } from './reports/ReportsTab.tsx'
import { adminRoleQuery } from './role.api.ts'
import { ServerTab } from './server-status/ServerTab.tsx'

const tabs = {
  reports: { label: t('admin.reports'), Content: ReportsTab },
  people: { label: t('admin.people'), Content: PeopleTab },
  signups: { label: t('admin.entrance'), Content: EntranceTab },
  server: { label: t('admin.server'), Content: ServerTab },
  log: { label: t('admin.log'), Content: ActionsTab },
} as const
type TabName = keyof typeof tabs

interface Props {
  /** Renders the first screen of a new administrator. */
  renderReady: (onDone: () => void) => ReactNode
}

/** The admin screen. Other users see "not found", unless the server has no admin yet. */
export function AdminScreen({ renderReady }: Props) {
  const role = useQuery({ ...adminRoleQuery(), staleTime: 0 })
  const [isNew, setIsNew] = useState(false)
  const hasAdmin = role.data?.is_claimable === false

  // The user becomes the administrator with the form that is shown now.
  if (role.data?.is_claimable && !isNew) setIsNew(true)

  useEffect(() => {
    if (hasAdmin) clearAdminCode()
  }, [hasAdmin])

  if (role.data?.is_admin) return isNew ? renderReady(() => setIsNew(false)) : <Administration />
  if (role.data?.is_claimable) return <ClaimForm />
  if (role.data) return <AdminNotFound />
  if (role.isPending) return <ScreenLoading />
  return (
    <Column>
      <ErrorAlert
        message={messageOf(role.error, t('moderation.loadFailed'))}
        onRetry={() => void role.refetch()}
        isRetrying={role.isFetching}
      />
    </Column>
  )
}

function Administration() {
  useTitle(t('admin.title'))
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('tab') ?? ''
  const name: TabName = wanted in tabs ? (wanted as TabName) : 'reports'
  const { Content } = tabs[name]

  return (
    <Column>
      <Typography variant="h2" component="h1">
        {t('admin.title')}
      </Typography>
      <Tabs
        value={name}
        onChange={(_event, chosen: TabName) =>
          setSearch(chosen === 'reports' ? {} : { tab: chosen }, { replace: true })
        }
        variant="scrollable"
        scrollButtons={false}
        aria-label={t('admin.title')}
        sx={{ mt: 1.5, mb: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {Object.entries(tabs).map(([value, { label }]) => (
          <Tab
            key={value}
            value={value}
            label={label}
            id={`admin-tab-${value}`}
            aria-controls={`admin-panel-${value}`}
            sx={{ minWidth: { xs: 44, sm: 72 }, px: { xs: 1, sm: 2 } }}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id={`admin-panel-${name}`} aria-labelledby={`admin-tab-${name}`}>
        <Content />
      </Box>
    </Column>
  )
}
