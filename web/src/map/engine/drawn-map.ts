type Maplibre = typeof import('./maplibre.ts')['maplibre']

let drawn: Maplibre | null = null

/** Returns MapLibre if a map of this page has drawn with it. A part of a form with a map is not worth loading it. */
export function drawnMaplibre(): Maplibre | null {
  return drawn
}

export function noteDrawn(maplibre: Maplibre) {
  drawn = maplibre
}
