import type { UserId } from '@hither/contract/ids.ts'
import type { Ping } from '@hither/contract/pings.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { zoomOfCircle } from '../map/areas/area-circle.ts'
import { type Camera, isRecent, readCamera, startCamera, storeCamera } from '../map/engine/stored-camera.ts'
import type { MapTarget } from '../map/engine/use-camera.ts'
import { findPlaceWithoutAsking, isInexact, type Position } from '../map/location/geolocation.ts'
import { readLastKnownPlace } from '../map/location/last-known-place.ts'
import { type Place, zooms } from '../map/map-defaults.ts'

const circlePx = 260

/**
 * The camera of Home's map: where it opens, the places that it is moved to, and its last state, which is stored on the
 * device. A position that the user has allowed before is found without a prompt.
 */
export function useMapCamera(userId: UserId | undefined) {
  const [target, setTarget] = useState<MapTarget | null>(null)
  const isChosen = useRef(false)
  const stored = useRef(userId === undefined ? null : readCamera(userId))

  const opened = useRef<Camera | null>(null)
  const center = useRef<Place | null>(null)

  const start = useCallback(() => {
    opened.current = startCamera(stored.current, readLastKnownPlace(), Date.now())
    return opened.current
  }, [])

  /** Whether the camera is at a place that the viewer may not know for long: that of a pin is erased after its end. */
  const isSecret = useRef(false)

  const moveTo = useCallback((place: Place, zoom: MapTarget['zoom']) => {
    isChosen.current = true
    setTarget({ latitude: place.latitude, longitude: place.longitude, zoom })
  }, [])
  const focusPing = useCallback(
    (ping: Ping) => {
      moveTo(ping, ping.place_radius_m ? zooms.area - Math.log2(ping.place_radius_m / 1000) : zooms.focusedPing)
      isSecret.current = true
    },
    [moveTo],
  )
  const focusPlace = useCallback(
    (place: Place) => {
      moveTo(place, zooms.focusedPing)
      // The place of a message is not stored on the device after the message is deleted.
      isSecret.current = true
    },
    [moveTo],
  )
  const comeNear = useCallback(
    (place: Place & Partial<Position>) => moveTo(place, isInexact(place) ? zoomOf(place) : 'nearest'),
    [moveTo],
  )

  useEffect(() => {
    const isRestored = stored.current !== null && isRecent(stored.current, Date.now())
    void findPlaceWithoutAsking().then((place) => {
      if (place !== null && !isRestored && !isChosen.current) moveTo(place, zoomOf(place))
    })
  }, [moveTo])

  function handleMove(camera: Camera, isByUser: boolean) {
    center.current = camera
    if (isByUser) {
      isChosen.current = true
      isSecret.current = false
    }
    // A camera that nobody has moved is not stored: it may be the default, or older than the position of the device.
    const isUnmoved = !isByUser && opened.current !== null && isSame(camera, opened.current)
    if (userId === undefined || isUnmoved || isSecret.current) return
    stored.current = { ...camera, at: Date.now() }
    storeCamera(userId, camera, Date.now())
  }

  return { start, target, focusPing, focusPlace, comeNear, handleMove, center: () => center.current ?? opened.current }
}

/** An inexact position is shown with the whole circle of its error. */
function zoomOf(place: Place & Partial<Position>): number {
  return isInexact(place) ? Math.min(zooms.user, zoomOfCircle(place, place.accuracyM ?? 0, circlePx)) : zooms.user
}

function isSame(a: Camera, b: Camera): boolean {
  const near = (x: number, y: number) => Math.abs(x - y) < 1e-5
  return near(a.latitude, b.latitude) && near(a.longitude, b.longitude) && near(a.zoom, b.zoom)
}
