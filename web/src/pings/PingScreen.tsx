import { type PingId } from '@hither/contract/ids.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useSession } from '../auth/session.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { useTitle } from '../ui/use-title.ts'
import { PingDetails } from './PingDetails.tsx'
import { PingHeader } from './PingHeader.tsx'
import { pingQuery } from './pings.api.ts'
import { pingStrings } from './strings.ts'

/** What a shared link opens, for whoever opens it: each sees as much as the server tells them. */
export function PingScreen() {
  const { pinId: pingId = '' } = useParams()
  const { user } = useSession()
  const navigate = useNavigate()
  const ping = useQuery({ ...pingQuery(pingId as PingId), enabled: pingId !== '' })
  useTitle(ping.data?.name ?? pingStrings.pin)

  function handleBack() {
    // A link that was opened from elsewhere has nothing of ours behind it.
    if (window.history.state?.idx > 0) navigate(-1)
    else navigate('/')
  }

  return (
    <Box component="main" sx={{ minHeight: '100dvh', bgcolor: 'background.default' }}>
      <PingHeader ping={ping.data ?? null} onBack={handleBack} />
      <Column>{content()}</Column>
    </Box>
  )

  function content(): ReactNode {
    if (pingId === '') return failure(pingStrings.idMissing)
    if (ping.isPending) {
      return (
        <Box sx={{ display: 'grid', placeItems: 'center', minHeight: '50dvh' }}>
          <CircularProgress aria-label={pingStrings.loadingOne} />
        </Box>
      )
    }
    if (ping.data === null) return failure(pingStrings.notFound)
    if (ping.data === undefined) return failure(pingStrings.loadOneFailed, () => void ping.refetch())
    return <PingDetails ping={ping.data} viewer={user} onDeleted={() => navigate('/', { replace: true })} />
  }

  function failure(message: string, onRetry?: () => void): ReactNode {
    return (
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        <h1 style={visuallyHidden}>{pingStrings.pin}</h1>
        <Box sx={{ width: '100%' }}>
          <ErrorAlert message={message} onRetry={onRetry} isRetrying={ping.isFetching} />
        </Box>
        <Button variant="outlined" startIcon={<ArrowBackRounded />} onClick={handleBack}>
          {pingStrings.back}
        </Button>
      </Box>
    )
  }
}
