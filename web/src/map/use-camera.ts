import { type MapRef } from '@vis.gl/react-maplibre'
import { type RefObject, useEffect } from 'react'
import { cameraMs, type Place, zooms } from './map-defaults.ts'
import { prefersStillness } from './stillness.ts'

export interface MapTarget extends Place {
  /** To this zoom; or `nearest`: in as far as needed to see where one is. */
  zoom: number | 'nearest'
}

/** Moves the camera to the target, and keeps it clear of what covers the lower part of the map. */
export function useCamera(
  ref: RefObject<MapRef | null>,
  isReady: boolean,
  target: MapTarget | null,
  insetBottomPx: number,
) {
  useEffect(() => {
    const map = ref.current
    if (!isReady || map === null || target === null) return
    const { latitude, longitude } = target
    const near = map.getZoom() < zooms.nearEnough ? zooms.user : map.getZoom()
    const camera = {
      center: [longitude, latitude] as [number, number],
      zoom: target.zoom === 'nearest' ? near : target.zoom,
    }
    if (prefersStillness()) map.jumpTo(camera)
    else map.easeTo({ ...camera, duration: cameraMs })
  }, [ref, target, isReady])

  useEffect(() => {
    const map = ref.current
    if (!isReady || map === null) return
    map.easeTo({
      padding: { top: 0, left: 0, right: 0, bottom: insetBottomPx },
      duration: prefersStillness() ? 0 : cameraMs,
    })
  }, [ref, insetBottomPx, isReady])
}
