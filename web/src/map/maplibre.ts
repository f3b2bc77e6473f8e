import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import './pins.css'
import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

// A file of our own origin: a strict Content-Security-Policy allows no blob workers.
maplibre.setWorkerUrl(workerUrl)

export { maplibre }
