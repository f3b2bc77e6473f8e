import { useCallback, useEffect, useState } from 'react'
import { type MapTarget } from '../map/MapCanvas.tsx'
import { type Place, zooms } from '../map/map-defaults.ts'

const focusMs = 1000

/** Where the map looks. A focus on a ping is let go of after a second, so that the same one can be focused again. */
export function useMapTarget() {
  const [target, setTarget] = useState<MapTarget | null>(null)

  useEffect(() => {
    if (target === null) return
    const timer = setTimeout(() => setTarget(null), focusMs)
    return () => clearTimeout(timer)
  }, [target])

  const focusPing = useCallback((place: Place) => {
    setTarget({ latitude: place.latitude, longitude: place.longitude, zoom: zooms.focusedPing })
  }, [])
  const comeNear = useCallback((place: Place) => setTarget({ ...place, zoom: 'nearest' }), [])
  return { target, focusPing, comeNear }
}
