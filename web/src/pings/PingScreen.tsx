import { type PingId } from '@hither/contract/ids.ts'
import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import DirectionsRounded from '@mui/icons-material/DirectionsRounded'
import IosShareRounded from '@mui/icons-material/IosShareRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useSession } from '../auth/session.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { useTitle } from '../ui/use-title.ts'
import { PingDetails } from './PingDetails.tsx'
import { type ShownPing } from './ping-shapes.ts'
import { pingQuery } from './pings.api.ts'
import { pingStrings } from './strings.ts'
import { useSharePing } from './use-share-ping.ts'

/** What a shared link opens, for whoever opens it: each sees as much as the server tells them. */
export function PingScreen() {
  const { pinId: pingId = '' } = useParams()
  const { user } = useSession()
  const navigate = useNavigate()
  const share = useSharePing()
  const ping = useQuery({ ...pingQuery(pingId as PingId), enabled: pingId !== '' })
  useTitle(ping.data?.name ?? pingStrings.pin)

  function handleBack() {
    // A link that was opened from elsewhere has nothing of ours behind it.
    if (window.history.state?.idx > 0) navigate(-1)
    else navigate('/')
  }

  return (
    <Box component="main" sx={{ minHeight: '100dvh', bgcolor: 'background.default' }}>
      <Box
        component="header"
        sx={{
          position: 'sticky',
          top: 0,
          zIndex: 2,
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          minHeight: 56,
          px: 1,
          pt: 'env(safe-area-inset-top)',
          bgcolor: 'background.paper',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <IconButton aria-label={pingStrings.back} onClick={handleBack}>
          <ArrowBackRounded />
        </IconButton>
        <Box sx={{ flex: 1 }} />
        {ping.data && actions(ping.data)}
      </Box>
      <Column>{content()}</Column>
    </Box>
  )

  function actions(shown: ShownPing): ReactNode {
    const { latitude, longitude } = shown
    const directions = `https://www.google.com/maps/dir/?api=1&destination=${latitude},${longitude}`
    return (
      <>
        <Tooltip title={pingStrings.navigate}>
          <IconButton
            component="a"
            href={directions}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={pingStrings.navigate}
          >
            <DirectionsRounded />
          </IconButton>
        </Tooltip>
        <Tooltip title={pingStrings.share}>
          <IconButton aria-label={pingStrings.share} onClick={() => share(shown.id)}>
            <IosShareRounded />
          </IconButton>
        </Tooltip>
      </>
    )
  }

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
