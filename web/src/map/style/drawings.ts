import type { ExpressionSpecification } from 'maplibre-gl'

/** A layer of the map before its source is known. `of` names its layer of the schema. */
export interface Drawing {
  id: string
  of: string
  type: 'fill' | 'line' | 'circle' | 'symbol'
  where?: ExpressionSpecification
  minzoom?: number
  maxzoom?: number
  layout?: object
  paint: object
}

export const mapFont = 'Plus Jakarta Sans'

export function isClass(...classes: string[]): ExpressionSpecification {
  return ['match', ['get', 'class'], classes, true, false]
}

export function byZoom(...stops: (number | unknown[])[]) {
  return ['interpolate', ['linear'], ['zoom'], ...stops]
}

/** Returns a line width that grows with the zoom. */
export function growing(...stops: number[]) {
  return ['interpolate', ['exponential', 1.5], ['zoom'], ...stops]
}

export const notInTunnel: ExpressionSpecification = ['!=', ['get', 'brunnel'], 'tunnel']
export const isLine: ExpressionSpecification = ['==', ['geometry-type'], 'LineString']
export const rounded = { 'line-cap': 'round', 'line-join': 'round' }
/** Features of the embedded basemap have a minimum zoom. */
export const isDue: ExpressionSpecification = ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['+', ['zoom'], 1]]
