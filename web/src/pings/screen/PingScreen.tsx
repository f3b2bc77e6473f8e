import type { PingId } from '@hither/contract/ids.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { mirrored } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { useSession } from '../../session/session.ts'
import { Column } from '../../ui/Column.tsx'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { lazyComponent } from '../../ui/lazy.tsx'
import { indexInHistory } from '../../ui/navigate.ts'
import { useTitle } from '../../ui/use-title.ts'
import { useOpenedToken } from '../guests/stored-guests.ts'
import { useOpenedGuest } from '../guests/use-opened-guest.ts'
import { pingQuery } from '../pings.api.ts'
import { PingDetails } from './PingDetails.tsx'
import { PingHeader } from './PingHeader.tsx'
import { VisitorPingDetails } from './VisitorPingDetails.tsx'

const ReplaceGuest = lazyComponent(async () => (await import('../guests/ReplaceGuest.tsx')).ReplaceGuest)

/** The page of a shared link. Each viewer sees what the server returns to them. */
export function PingScreen() {
  const { pinId = '' } = useParams()
  const pingId = pinId as PingId
  const { user } = useSession()
  const navigate = useNavigate()
  const ping = useQuery({ ...pingQuery(pingId), enabled: pinId !== '' })
  const openedToken = useOpenedToken(pingId)
  useOpenedGuest(pingId)
  useTitle(ping.data?.name ?? t('pings.pin'))

  function handleBack() {
    // A link that was opened from outside of the app has no app screen behind it in the history.
    if (indexInHistory() > 0) navigate(-1)
    else navigate('/')
  }

  return (
    <Box component="main" sx={{ minHeight: 'calc(100dvh - var(--bottom-bar, 0px))', bgcolor: 'background.default' }}>
      <PingHeader ping={ping.data ?? null} onBack={handleBack} />
      <Column>
        {openedToken !== undefined && (
          <Box sx={{ mb: 2 }}>
            <ReplaceGuest pingId={pingId} token={openedToken} />
          </Box>
        )}
        {content()}
      </Column>
    </Box>
  )

  function content(): ReactNode {
    if (pinId === '') return failure(t('pings.idMissing'))
    if (ping.isPending) {
      return (
        <Box sx={{ display: 'grid', placeItems: 'center', minHeight: '50dvh' }}>
          <CircularProgress aria-label={t('pings.loadingOne')} />
        </Box>
      )
    }
    const notFound = failure(t('errors.ping_not_found'))
    // After the end of a ping, only those who have responded see it.
    if (ping.data === null && user === null)
      return <VisitorPingDetails pingId={pingId} ping={null} notFound={notFound} />
    if (ping.data === null) return notFound
    if (ping.data === undefined) return failure(t('pings.loadOneFailed'), () => void ping.refetch())
    return (
      <PingDetails
        ping={ping.data}
        viewer={user}
        notFound={notFound}
        onDeleted={() => navigate('/', { replace: true })}
      />
    )
  }

  function failure(message: string, onRetry?: () => void): ReactNode {
    return (
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        <h1 style={visuallyHidden}>{t('pings.pin')}</h1>
        <Box sx={{ width: '100%' }}>
          <ErrorAlert message={message} onRetry={onRetry} isRetrying={ping.isFetching} />
        </Box>
        <Button variant="outlined" startIcon={<ArrowBackRounded sx={mirrored} />} onClick={handleBack}>
          {t('pings.back')}
        </Button>
      </Box>
    )
  }
}
