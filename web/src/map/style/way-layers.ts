import type { ExpressionSpecification } from 'maplibre-gl'
import { byZoom, type Drawing, growing, isClass, isDue, isLine, notInTunnel, rounded } from './drawings.ts'
import type { MapPalette } from './map-palette.ts'
import { roads } from './road-layers.ts'

export function ways(c: MapPalette): Drawing[] {
  return [
    {
      id: 'river',
      of: 'waterway',
      type: 'line',
      where: ['all', notInTunnel, isDue],
      layout: rounded,
      paint: { 'line-color': c.water, 'line-width': growing(2, 0.5, 8, 1.5, 14, 3, 18, 8) },
    },
    {
      id: 'runway',
      of: 'aeroway',
      type: 'line',
      minzoom: 10,
      where: isClass('runway', 'taxiway'),
      paint: { 'line-color': c.works, 'line-width': growing(10, 1, 15, 14, 18, 60) },
    },
    {
      id: 'ferry',
      of: 'transportation',
      type: 'line',
      minzoom: 10,
      where: isClass('ferry'),
      paint: { 'line-color': c.waterText, 'line-opacity': 0.4, 'line-dasharray': [4, 3], 'line-width': 1 },
    },
    {
      id: 'path',
      of: 'transportation',
      type: 'line',
      minzoom: 14,
      where: ['all', isLine, isClass('path', 'track', 'pedestrian')],
      layout: rounded,
      paint: { 'line-color': c.path, 'line-dasharray': [2, 1.5], 'line-width': growing(14, 0.6, 18, 2.5) },
    },
    {
      id: 'rail',
      of: 'transportation',
      type: 'line',
      minzoom: 11,
      where: ['all', isLine, isClass('rail', 'transit'), notInTunnel],
      paint: { 'line-color': c.rail, 'line-width': growing(11, 0.6, 16, 2) },
    },
    ...roads(c),
  ]
}

export function borders(c: MapPalette): Drawing[] {
  const level = (value: number): ExpressionSpecification => [
    'all',
    ['==', ['get', 'admin_level'], value],
    ['!=', ['get', 'maritime'], 1],
  ]
  return [
    {
      id: 'state-border',
      of: 'boundary',
      type: 'line',
      minzoom: 3,
      where: level(4),
      layout: rounded,
      paint: { 'line-color': c.stateBorder, 'line-dasharray': [3, 2], 'line-width': byZoom(3, 0.5, 8, 1.3) },
    },
    {
      id: 'border',
      of: 'boundary',
      type: 'line',
      where: level(2),
      layout: rounded,
      paint: { 'line-color': c.border, 'line-width': byZoom(1, 0.5, 5, 1, 10, 2) },
    },
  ]
}
