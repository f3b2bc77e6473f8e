import { Marker } from '@vis.gl/react-maplibre'
import { type MouseEvent, memo } from 'react'
import { t } from '../../i18n/translate.ts'
import type { Cluster } from './clusters.ts'

interface Props extends Cluster {
  onSplit: (cluster: Cluster) => void
}

/** Pins that are too close to each other to be shown separately: a button with their number. */
export const ClusterMarker = memo(function ClusterMarker({ onSplit, ...cluster }: Props) {
  function handleClick(event: MouseEvent) {
    // Otherwise the map would handle a click on the place below.
    event.stopPropagation()
    onSplit(cluster)
  }

  return (
    <Marker longitude={cluster.longitude} latitude={cluster.latitude} anchor="center" className="pin-place">
      <button
        type="button"
        className="cluster"
        data-has-own={cluster.hasOwn || undefined}
        data-text={cluster.count > 99 ? '99+' : cluster.count}
        aria-label={t('map.zoomIn', { count: cluster.count })}
        onClick={handleClick}
      />
    </Marker>
  )
})
