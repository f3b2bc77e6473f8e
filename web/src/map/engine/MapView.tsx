import type { FoundPlace } from '@hither/contract/geo.ts'
import Box from '@mui/material/Box'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { loadModule } from '../../ui/load-module.ts'
import { loading, type Place } from '../map-defaults.ts'
import { noteDrawn } from './drawn-map.ts'
import { MapAlert } from './MapAlert.tsx'
import type { MapTarget } from './MapCanvas.tsx'
import { MapErrorBoundary } from './MapErrorBoundary.tsx'
import { MapNote } from './MapNote.tsx'
import type { Camera } from './stored-camera.ts'

interface Props {
  /** Returns the camera with which the map opens. Called when the map is created. */
  start: () => Camera
  /** The place to show. A new object moves the camera. */
  target: MapTarget | null
  /** The height of the covered part at the bottom, in pixels. */
  insetBottomPx: number
  /** The width of the buttons in the lower right corner, in pixels. */
  insetRightPx: number
  /** Set to false while the map is hidden. A hidden map does not start to load. */
  isShown: boolean
  /** Whether the server is reachable. A map that failed to load loads again when it becomes so. */
  isConnected: boolean
  /** Called after each movement. `isByUser` is false for movements of the app. */
  onMove: (camera: Camera, isByUser: boolean) => void
  onPress: (place: Place) => void
  /** Called with the place of the search for which the user wants a pin. */
  onPinFound: (place: Place) => void
  /** See `MapSearch`. */
  foundAction?: (place: FoundPlace) => ReactNode
  /** Called if this browser cannot render maps, so that the rest of the screen says so and replaces the map. */
  onUnsupported: () => void
  children: ReactNode
}

type Maplibre = typeof import('./maplibre.ts')['maplibre']
type MapCanvas = typeof import('./MapCanvas.tsx')['MapCanvas']
type Load =
  | { phase: 'loading'; attempt: number }
  | { phase: 'failed'; attempt: number; message: string }
  | { phase: 'drawing' | 'drawn'; attempt: number; maplibre: Maplibre; MapCanvas: MapCanvas }
  | { phase: 'unsupported'; attempt: number }

const attempts = loading.retries + 1
const loadMap = () => Promise.all([import('./maplibre.ts'), import('./MapCanvas.tsx')])

/** Loads the map and MapLibre, and retries automatically. A failure never affects the rest of the screen. */
export function MapView({ insetRightPx, isConnected, onUnsupported, ...props }: Props) {
  const [load, setLoad] = useState<Load>({ phase: 'loading', attempt: 1 })
  const { phase, attempt } = load
  const { isShown } = props

  const fail = useCallback((error: unknown, message: string) => {
    setLoad(({ attempt }) => {
      if (error instanceof Error && error.name === 'GPUInitializationError') return { phase: 'unsupported', attempt }
      return attempt < attempts ? { phase: 'loading', attempt: attempt + 1 } : { phase: 'failed', attempt, message }
    })
  }, [])
  const handleFailure = useCallback((error: unknown) => fail(error, t('map.failedToStart')), [fail])

  useEffect(() => {
    if (phase !== 'loading' || !isShown) return
    let isWanted = true
    const timer = setTimeout(
      async () => {
        try {
          const [{ maplibre }, { MapCanvas }] = await loadModule(loadMap)
          if (isWanted) setLoad({ phase: 'drawing', attempt, maplibre, MapCanvas })
        } catch (error) {
          if (isWanted) fail(error, t('map.failed'))
        }
      },
      attempt === 1 ? loading.delayMs : loading.retryMs,
    )
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [phase, attempt, isShown, fail])

  useEffect(() => {
    if (isConnected) setLoad((load) => (load.phase === 'failed' ? { phase: 'loading', attempt: 1 } : load))
  }, [isConnected])

  // biome-ignore lint/correctness/useExhaustiveDependencies: called once
  useEffect(() => {
    if (phase === 'unsupported') onUnsupported()
  }, [phase])

  function handleDrawn() {
    if ('maplibre' in load) noteDrawn(load.maplibre)
    setLoad((load) => (load.phase === 'drawing' ? { ...load, phase: 'drawn' } : load))
  }

  return (
    <Box
      className="hither-map"
      sx={{ position: 'absolute', inset: 0, bgcolor: 'background.default', overflow: 'hidden' }}
      style={{ '--map-inset-bottom': `${props.insetBottomPx}px`, '--map-inset-right': `${insetRightPx}px` } as object}
    >
      {'maplibre' in load && (
        <MapErrorBoundary key={attempt} onFailure={handleFailure}>
          <load.MapCanvas {...props} maplibre={load.maplibre} onDrawn={handleDrawn} onFailure={handleFailure} />
        </MapErrorBoundary>
      )}
      {(phase === 'loading' || phase === 'drawing') && (
        <MapNote isWorking>{attempt === 1 ? t('map.loading') : t('map.attempt', { attempt, of: attempts })}</MapNote>
      )}
      {load.phase === 'failed' && (
        <MapAlert message={load.message} onRetry={() => setLoad({ phase: 'loading', attempt: 1 })} />
      )}
    </Box>
  )
}
