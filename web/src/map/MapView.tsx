import Box from '@mui/material/Box'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { MapAlert } from './MapAlert.tsx'
import { type MapTarget } from './MapCanvas.tsx'
import { MapNote } from './MapNote.tsx'
import { loading, type Place } from './map-defaults.ts'
import { mapStrings } from './strings.ts'

interface Props {
  /** Where to look now; a new object moves the camera. */
  target: MapTarget | null
  /** How much of the bottom is covered by something else. */
  insetBottomPx: number
  onPress: (place: Place) => void
  /** This browser cannot draw maps at all: what else the screen has takes over. */
  onUnsupported?: () => void
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

/** Loads the map and its engine, tries again by itself, and says so. Whatever goes wrong, the rest of the screen works. */
export function MapView({ onUnsupported, ...props }: Props) {
  const [load, setLoad] = useState<Load>({ phase: 'loading', attempt: 1 })
  const { phase, attempt } = load

  const fail = useCallback((error: unknown, message: string) => {
    setLoad(({ attempt }) => {
      if (error instanceof Error && error.name === 'GPUInitializationError') return { phase: 'unsupported', attempt }
      return attempt < attempts ? { phase: 'loading', attempt: attempt + 1 } : { phase: 'failed', attempt, message }
    })
  }, [])
  const handleFailure = useCallback((error: unknown) => fail(error, mapStrings.failedToStart), [fail])

  useEffect(() => {
    if (phase !== 'loading') return
    let isWanted = true
    const timer = setTimeout(
      async () => {
        try {
          const [{ maplibre }, { MapCanvas }] = await Promise.all([import('./maplibre.ts'), import('./MapCanvas.tsx')])
          if (isWanted) setLoad({ phase: 'drawing', attempt, maplibre, MapCanvas })
        } catch (error) {
          if (isWanted) fail(error, mapStrings.failed)
        }
      },
      attempt === 1 ? loading.delayMs : loading.retryMs,
    )
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [phase, attempt, fail])

  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (phase === 'unsupported') onUnsupported?.()
  }, [phase])

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
        <load.MapCanvas
          key={attempt}
          {...props}
          maplibre={load.maplibre}
          onDrawn={handleDrawn}
          onFailure={handleFailure}
        />
      )}
      {(phase === 'loading' || phase === 'drawing') && (
        <MapNote isWorking>{attempt === 1 ? mapStrings.loading : mapStrings.attempt(attempt, attempts)}</MapNote>
      )}
      {phase === 'unsupported' && <MapNote>{mapStrings.unsupported}</MapNote>}
      {load.phase === 'failed' && (
        <MapAlert message={load.message} onRetry={() => setLoad({ phase: 'loading', attempt: 1 })} />
      )}
    </Box>
  )
}
