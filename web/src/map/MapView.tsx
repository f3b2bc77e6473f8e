import Box from '@mui/material/Box'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { MapCanvas, type MapTarget } from './MapCanvas.tsx'
import { MapNote } from './MapNote.tsx'
import { loading, type Place } from './map-defaults.ts'
import { mapStrings } from './strings.ts'

interface Props {
  /** Where to look now; a new object moves the camera. */
  target: MapTarget | null
  /** How much of the bottom is covered by something else. */
  insetBottomPx: number
  onPress: (place: Place) => void
  children: ReactNode
}

type Maplibre = typeof import('./maplibre.ts')['maplibre']
type Load =
  | { phase: 'loading' | 'failed'; attempt: number }
  | { phase: 'drawing' | 'drawn'; attempt: number; maplibre: Maplibre }
  | { phase: 'unsupported'; attempt: number }

const attempts = loading.retries + 1

/** Loads the map and its engine, tries again by itself, and says so. Whatever goes wrong, the rest of the screen works. */
export function MapView(props: Props) {
  const [load, setLoad] = useState<Load>({ phase: 'loading', attempt: 1 })
  const { phase, attempt } = load

  const handleFailure = useCallback((error: unknown) => {
    setLoad(({ attempt }) => {
      if (error instanceof Error && error.name === 'GPUInitializationError') return { phase: 'unsupported', attempt }
      return attempt < attempts ? { phase: 'loading', attempt: attempt + 1 } : { phase: 'failed', attempt }
    })
  }, [])

  useEffect(() => {
    if (phase !== 'loading') return
    let isWanted = true
    const timer = setTimeout(
      async () => {
        try {
          const { maplibre } = await import('./maplibre.ts')
          if (isWanted) setLoad({ phase: 'drawing', attempt, maplibre })
        } catch (error) {
          if (isWanted) handleFailure(error)
        }
      },
      attempt === 1 ? loading.delayMs : loading.retryMs,
    )
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [phase, attempt, handleFailure])

  function handleDrawn() {
    setLoad((load) => (load.phase === 'drawing' ? { ...load, phase: 'drawn' } : load))
  }

  return (
    <Box
      className="hither-map"
      sx={{ position: 'absolute', inset: 0, bgcolor: 'background.default', overflow: 'hidden' }}
      style={{ '--map-inset-bottom': `${props.insetBottomPx}px` } as object}
    >
      {'maplibre' in load && (
        <MapCanvas key={attempt} {...props} maplibre={load.maplibre} onDrawn={handleDrawn} onFailure={handleFailure} />
      )}
      {(phase === 'loading' || phase === 'drawing') && (
        <MapNote isWorking>{attempt === 1 ? mapStrings.loading : mapStrings.attempt(attempt, attempts)}</MapNote>
      )}
      {phase === 'unsupported' && <MapNote>{mapStrings.unsupported}</MapNote>}
      {phase === 'failed' && (
        <Box sx={{ position: 'absolute', top: 16, left: 16, right: 72, maxWidth: 480, mx: 'auto' }}>
          <ErrorAlert message={mapStrings.failed} onRetry={() => setLoad({ phase: 'loading', attempt: 1 })} />
        </Box>
      )}
    </Box>
  )
}
