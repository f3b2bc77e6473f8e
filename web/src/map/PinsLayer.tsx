import ZoomOutMapRounded from '@mui/icons-material/ZoomOutMapRounded'
import { useMap } from '@vis.gl/react-maplibre'
import { type ReactNode, useMemo } from 'react'
import { ClusterMarker } from './ClusterMarker.tsx'
import { indexOf, inView } from './clusters.ts'
import { MapPopup } from './MapPopup.tsx'
import { MapTool } from './MapTool.tsx'
import { cameraMs, zooms } from './map-defaults.ts'
import { PinMarker } from './PinMarker.tsx'
import { captionsInTheWay, offsetsOf } from './pin-offsets.ts'
import { type Pin } from './pins.ts'
import { prefersStillness } from './stillness.ts'
import { mapStrings } from './strings.ts'
import { useLeaving } from './use-leaving.ts'
import { usePinsView } from './use-pins-view.ts'
import { useSplit } from './use-split.ts'

interface Props {
  pins: readonly Pin[]
  openId: string | null
  /** What the popup of the open pin shows. */
  card: ReactNode
  cardLabel: string
  onOpen: (id: string) => void
  onClose: () => void
}

const markerHeightPx = 46

/** The pins in view, as buttons. Those outside are left out, so that Tab does not lead to what cannot be seen. */
export function PinsLayer({ pins, openId, card, cardLabel, onOpen, onClose }: Props) {
  const { current: map } = useMap()
  const view = usePinsView(map)

  const places = pins.map(({ id, latitude, longitude }) => `${id} ${latitude} ${longitude}`).join()
  // The open pin stands by itself, whatever is near it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the pins are, not what they say, decides what is near
  const index = useMemo(() => indexOf(pins.filter(({ id }) => id !== openId)), [places, openId])
  const { pinIds, clusters } = useMemo(
    () => (view === null ? { pinIds: new Set<string>(), clusters: [] } : inView(index, view.bounds, view.zoom)),
    [index, view],
  )
  const shown = pins.filter(({ id }) => id === openId || pinIds.has(id))
  const leaving = useLeaving(pins, shown)
  const key = shown.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same, and with the zoom
  const { offsets, crowded } = useMemo(() => {
    const spots =
      map === undefined ? [] : shown.map((pin) => ({ id: pin.id, ...map.project([pin.longitude, pin.latitude]) }))
    const offsets = offsetsOf(spots)
    return { offsets, crowded: captionsInTheWay(spots, offsets) }
  }, [map, key, places, view])
  const open = pins.find(({ id }) => id === openId)
  const [openDx, openDy] = offsets.get(openId ?? '') ?? [0, 0]

  const handleSplit = useSplit(map, index, `${key} ${clusters.map(({ id }) => id).join()}`)

  function handleFit() {
    const longitudes = pins.map(({ longitude }) => longitude)
    const latitudes = pins.map(({ latitude }) => latitude)
    map?.fitBounds(
      [
        [Math.min(...longitudes), Math.min(...latitudes)],
        [Math.max(...longitudes), Math.max(...latitudes)],
      ],
      {
        padding: { top: 72, bottom: 48, left: 40, right: 72 },
        maxZoom: zooms.user,
        duration: prefersStillness() ? 0 : cameraMs * 2,
      },
    )
  }

  return (
    <>
      {clusters.map((cluster) => (
        <ClusterMarker key={`${cluster.latitude} ${cluster.longitude}`} {...cluster} onSplit={handleSplit} />
      ))}
      {[...shown, ...leaving].map((pin) => {
        const [dx, dy] = offsets.get(pin.id) ?? [0, 0]
        return (
          <PinMarker
            key={pin.id}
            {...pin}
            dx={dx}
            dy={dy}
            isOpen={pin.id === openId}
            isCrowded={crowded.has(pin.id)}
            isLeaving={leaving.includes(pin)}
            onOpen={onOpen}
          />
        )
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
      {pins.length > 0 && (
        <MapTool row={3} label={mapStrings.fitPins} onClick={handleFit}>
          <ZoomOutMapRounded />
        </MapTool>
      )}
    </>
  )
}
