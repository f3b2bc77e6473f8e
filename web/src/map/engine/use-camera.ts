import type { MapRef } from '@vis.gl/react-maplibre'
import { type RefObject, useEffect, useRef } from 'react'
import { cameraMs, type Place, zooms } from '../map-defaults.ts'
import { prefersReducedMotion } from './reduced-motion.ts'

export interface MapTarget extends Place {
  /** The zoom level, or `nearest`: at least as close as the user's location needs. */
  zoom: number | 'nearest'
}

/**
 * Moves the camera to each new target and keeps it above the covered part of the map. Both are one movement, because a
 * second one would cancel the first.
 */
export function useCamera(
  ref: RefObject<MapRef | null>,
  isReady: boolean,
  target: MapTarget | null,
  insetBottomPx: number,
) {
  const reached = useRef<MapTarget | null>(null)

  useEffect(() => {
    const map = ref.current
    if (!isReady || map === null) return
    const isNew = target !== null && target !== reached.current
    if (!isNew && map.getPadding().bottom === insetBottomPx) return
    reached.current = target
    map.easeTo({
      ...(isNew && { center: [target.longitude, target.latitude], zoom: zoomOf(target, map.getZoom()) }),
      padding: { top: 0, left: 0, right: 0, bottom: insetBottomPx },
      duration: prefersReducedMotion() ? 0 : cameraMs,
    })
  }, [ref, target, insetBottomPx, isReady])
}

function zoomOf({ zoom }: MapTarget, current: number): number {
  if (zoom !== 'nearest') return zoom
  return current < zooms.nearEnough ? zooms.user : current
}
