import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent } from 'react'

const restoreMs = 2000

/** Reports that the browser has taken the graphics context of the map away and does not give it back while the page is visible. */
export function ContextGuard({ onFailure }: { onFailure: (error: unknown) => void }) {
  const { current: map } = useMap()
  const fail = useEffectEvent(() => onFailure(new Error('The graphics context of the map was lost')))

  useEffect(() => {
    if (map === undefined) return
    let isLost = false
    let timer: ReturnType<typeof setTimeout> | undefined
    function wait() {
      clearTimeout(timer)
      if (isLost && document.visibilityState === 'visible') timer = setTimeout(() => fail(), restoreMs)
    }
    function handleLost() {
      isLost = true
      wait()
    }
    function handleRestored() {
      isLost = false
      wait()
    }
    map.on('webglcontextlost', handleLost)
    map.on('webglcontextrestored', handleRestored)
    document.addEventListener('visibilitychange', wait)
    return () => {
      clearTimeout(timer)
      map.off('webglcontextlost', handleLost)
      map.off('webglcontextrestored', handleRestored)
      document.removeEventListener('visibilitychange', wait)
    }
  }, [map])

  return null
}
