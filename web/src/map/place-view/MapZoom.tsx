import { NavigationControl } from '@vis.gl/react-maplibre'

/** The buttons that zoom the map. */
export function MapZoom() {
  return <NavigationControl showCompass={false} position="top-right" />
}
