import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import '../pins/pins.css'
import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

// A worker file of the same origin, because a strict Content-Security-Policy allows no blob workers.
maplibre.setWorkerUrl(workerUrl)

const { serialize } = maplibre.GeoJSONSource.prototype

/**
 * Serializes a source with its original data. By default the library includes the current data or the loaded address,
 * so that the next style would load the source again or empty it.
 */
maplibre.GeoJSONSource.prototype.serialize = function () {
  return { ...serialize.call(this), data: this._options.data as maplibre.GeoJSONSourceSpecification['data'] }
}

export { maplibre }
