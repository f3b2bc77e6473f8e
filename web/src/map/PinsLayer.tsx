import { useMap } from '@vis.gl/react-maplibre'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type Bounds } from './grid.ts'
import { MapPopup } from './MapPopup.tsx'
import { PinMarker } from './PinMarker.tsx'
import { type Offset, type Pin, spread } from './pins.ts'

interface Props {
  pins: readonly Pin[]
  openId: string | null
  /** What the popup of the open pin shows. */
  card: ReactNode
  cardLabel: string
  onOpen: (id: string) => void
  onClose: () => void
}

const nearPx = 30
const gapPx = 36
const markerHeightPx = 46

/** The pins in view, as buttons. Those outside are left out, so that Tab does not lead to what cannot be seen. */
export function PinsLayer({ pins, openId, card, cardLabel, onOpen, onClose }: Props) {
  const { current: map } = useMap()
  const [view, setView] = useState<{ zoom: number; bounds: Bounds } | null>(null)

  useEffect(() => {
    if (map === undefined) return
    const target = map
    function handleMove() {
      setView({ zoom: target.getZoom(), bounds: widened(target.getBounds()) })
    }
    handleMove()
    target.on('moveend', handleMove)
    return () => void target.off('moveend', handleMove)
  }, [map])

  const places = pins.map(({ id, latitude, longitude }) => `${id} ${latitude} ${longitude}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the pins are, not what they say, decides who moves aside
  const offsets = useMemo(() => {
    if (map === undefined) return new Map<string, Offset>()
    const spots = pins.map(({ id, latitude, longitude }) => ({ id, ...map.project([longitude, latitude]) }))
    return spread(spots, nearPx, gapPx)
  }, [map, places, view?.zoom])

  const shown = pins.filter((pin) => pin.id === openId || view === null || isInside(pin, view.bounds))
  const open = pins.find(({ id }) => id === openId)
  const [openDx, openDy] = offsets.get(openId ?? '') ?? [0, 0]

  return (
    <>
      {shown.map((pin) => {
        const [dx, dy] = offsets.get(pin.id) ?? [0, 0]
        return <PinMarker key={pin.id} {...pin} dx={dx} dy={dy} isOpen={pin.id === openId} onOpen={onOpen} />
      })}
      {open && (
        <MapPopup
          key={open.id}
          latitude={open.latitude}
          longitude={open.longitude}
          offset={[openDx, openDy - markerHeightPx]}
          pinId={open.id}
          label={cardLabel}
          onClose={onClose}
        >
          {card}
        </MapPopup>
      )}
    </>
  )
}

/** A little more than the view: a marker whose tip is just outside still reaches in. */
function widened(bounds: { getWest(): number; getEast(): number; getSouth(): number; getNorth(): number }): Bounds {
  const [west, east, south, north] = [bounds.getWest(), bounds.getEast(), bounds.getSouth(), bounds.getNorth()]
  const [dx, dy] = [(east - west) * 0.08, (north - south) * 0.08]
  return { west: west - dx, east: east + dx, south: south - dy, north: north + dy }
}

/** The view may have been carried around the world, beyond 180°. */
function isInside({ latitude, longitude }: Pin, { west, east, south, north }: Bounds): boolean {
  if (latitude < south || latitude > north) return false
  return [-360, 0, 360].some((turn) => longitude + turn >= west && longitude + turn <= east)
}
