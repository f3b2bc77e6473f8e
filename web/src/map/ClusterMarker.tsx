import { Marker } from '@vis.gl/react-maplibre'
import { type MouseEvent, memo } from 'react'
import { type Cluster } from './clusters.ts'
import { mapStrings } from './strings.ts'

interface Props extends Cluster {
  onSplit: (cluster: Cluster) => void
}

/** Pins too near to each other to be told apart: their number, and closer in, themselves. */
export const ClusterMarker = memo(function ClusterMarker({ onSplit, ...cluster }: Props) {
  function handleClick(event: MouseEvent) {
    // The map would take it for a press on the place beneath.
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
        aria-label={mapStrings.zoomIn(cluster.count)}
        onClick={handleClick}
      />
    </Marker>
  )
})
