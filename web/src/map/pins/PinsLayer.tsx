import ZoomOutMapRounded from '@mui/icons-material/ZoomOutMapRounded'
import { useMap } from '@vis.gl/react-maplibre'
import { type ReactNode, useMemo } from 'react'
import { isRightToLeft } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import type { ShownArea } from '../areas/AreaCircles.tsx'
import { MapTool } from '../engine/MapTool.tsx'
import { prefersReducedMotion } from '../engine/reduced-motion.ts'
import { cameraMs, zooms } from '../map-defaults.ts'
import { ClusterMarker } from './ClusterMarker.tsx'
import { indexOf, inView } from './clusters.ts'
import { PinMarker } from './PinMarker.tsx'
import { captionsInTheWay, offsetsOf } from './pin-offsets.ts'
import { areasOf, type Pin } from './pins.ts'
import { useExitingPins } from './use-exiting-pins.ts'
import { useExpandCluster } from './use-expand-cluster.ts'
import { usePinsView } from './use-pins-view.ts'

const MapPopup = lazyComponent(async () => (await import('./MapPopup.tsx')).MapPopup)
const AreaCircles = lazyComponent<{ open: boolean; areas: readonly ShownArea[] }>(
  async () => (await import('../areas/AreaCircles.tsx')).AreaCircles,
)

interface Props {
  pins: readonly Pin[]
  openId: string | null
  /** The content of the popup of the open pin. */
  card: ReactNode
  cardLabel: string
  /** The circle of an inexact position of the device. */
  ownArea: ShownArea | null
  onOpen: (id: string) => void
  onClose: () => void
}

const markerHeightPx = 46

/**
 * Renders the visible pins as buttons. Pins outside of the view are left out, so that the Tab key reaches only visible
 * pins.
 */
export function PinsLayer({ pins, openId, card, cardLabel, ownArea, onOpen, onClose }: Props) {
  const { current: map } = useMap()
  const view = usePinsView(map)

  const places = pins.map(({ id, latitude, longitude }) => `${id} ${latitude} ${longitude}`).join()
  // The open pin is never part of a cluster.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the positions of the pins decide about clusters
  const index = useMemo(() => indexOf(pins.filter(({ id }) => id !== openId)), [places, openId])
  const { pinIds, clusters } = useMemo(
    () => (view === null ? { pinIds: new Set<string>(), clusters: [] } : inView(index, view.bounds, view.zoom)),
    [index, view],
  )
  const shown = pins.filter(({ id }) => id === openId || pinIds.has(id))
  const areas = [...areasOf(shown), ...(ownArea === null ? [] : [ownArea])]
  const leaving = useExitingPins(pins, shown)
  const key = shown.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the positions and the zoom only
  const { offsets, crowded } = useMemo(() => {
    const spots =
      map === undefined ? [] : shown.map((pin) => ({ id: pin.id, ...map.project([pin.longitude, pin.latitude]) }))
    const offsets = offsetsOf(spots)
    return { offsets, crowded: captionsInTheWay(spots, offsets) }
  }, [map, key, places, view])
  const open = pins.find(({ id }) => id === openId)
  const [openDx, openDy] = offsets.get(openId ?? '') ?? [0, 0]

  const handleSplit = useExpandCluster(map, index, `${key} ${clusters.map(({ id }) => id).join()}`)

  function handleFit() {
    const longitudes = pins.map(({ longitude }) => longitude)
    const latitudes = pins.map(({ latitude }) => latitude)
    map?.fitBounds(
      [
        [Math.min(...longitudes), Math.min(...latitudes)],
        [Math.max(...longitudes), Math.max(...latitudes)],
      ],
      {
        // The buttons of the map are at the end of the line.
        padding: { top: 72, bottom: 48, left: isRightToLeft ? 72 : 40, right: isRightToLeft ? 40 : 72 },
        maxZoom: zooms.user,
        duration: prefersReducedMotion() ? 0 : cameraMs * 2,
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
      <AreaCircles open={areas.length > 0} areas={areas} />
      {open && (
        <MapPopup
          key={open.id}
          latitude={open.latitude}
          longitude={open.longitude}
          // The marker of an area lies on its place, and that of a pin stands above it.
          offset={[openDx, openDy - (open.radiusM === null ? markerHeightPx : markerHeightPx / 2)]}
          pinId={open.id}
          label={cardLabel}
          onClose={onClose}
        >
          {card}
        </MapPopup>
      )}
      {pins.length > 0 && (
        <MapTool row={3} label={t('map.fitPins')} onClick={handleFit}>
          <ZoomOutMapRounded />
        </MapTool>
      )}
    </>
  )
}
