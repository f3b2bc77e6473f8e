import { Marker } from '@vis.gl/react-maplibre'
import { type Place } from './map-defaults.ts'
import { mapStrings } from './strings.ts'

export function OwnPosition({ latitude, longitude }: Place) {
  return (
    <Marker latitude={latitude} longitude={longitude} anchor="center">
      <div className="own-position" role="img" aria-label={mapStrings.ownPosition}>
        <span className="pin-caption">{mapStrings.ownPositionShort}</span>
      </div>
    </Marker>
  )
}
