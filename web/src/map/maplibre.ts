import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import './pins.css'
import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

// A file of our own origin: a strict Content-Security-Policy allows no blob workers.
maplibre.setWorkerUrl(workerUrl)

const { serialize } = maplibre.GeoJSONSource.prototype

/**
 * What came from an address is that address. By itself the library tells of its content, so that the next style, which names
 * the address again, would have megabytes fetched, parsed and cut into tiles anew.
 */
maplibre.GeoJSONSource.prototype.serialize = function () {
  const { data } = this._options
  return { ...serialize.call(this), ...(typeof data === 'string' && { data }) }
}

export { maplibre }
