import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import './pins.css'
import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

// A file of our own origin: a strict Content-Security-Policy allows no blob workers.
maplibre.setWorkerUrl(workerUrl)

const { serialize } = maplibre.GeoJSONSource.prototype

/**
 * What the style gave a source remains what the style gave. By itself the library tells of what came from an address, or was
 * set since, so that the next style would have it loaded anew, or emptied.
 */
maplibre.GeoJSONSource.prototype.serialize = function () {
  return { ...serialize.call(this), data: this._options.data as maplibre.GeoJSONSourceSpecification['data'] }
}

export { maplibre }
