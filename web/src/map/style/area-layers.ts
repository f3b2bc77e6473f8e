import { byZoom, type Drawing, isClass, notInTunnel } from './drawings.ts'
import type { MapPalette } from './map-palette.ts'

export function areas(c: MapPalette): Drawing[] {
  return [
    { id: 'ice', of: 'landcover', type: 'fill', where: isClass('ice'), paint: { 'fill-color': c.ice } },
    { id: 'wood', of: 'landcover', type: 'fill', where: isClass('wood', 'forest'), paint: { 'fill-color': c.wood } },
    { id: 'sand', of: 'landcover', type: 'fill', where: isClass('sand'), paint: { 'fill-color': c.sand } },
    {
      id: 'built',
      of: 'landuse',
      type: 'fill',
      where: isClass(
        'residential',
        'suburb',
        'neighbourhood',
        'commercial',
        'retail',
        'school',
        'university',
        'college',
      ),
      paint: { 'fill-color': c.built, 'fill-opacity': byZoom(8, 1, 14, 0.6) },
    },
    {
      id: 'works',
      of: 'landuse',
      type: 'fill',
      where: isClass('industrial', 'railway', 'garages', 'hospital', 'military'),
      paint: { 'fill-color': c.works },
    },
    {
      id: 'grass',
      of: 'landcover',
      type: 'fill',
      where: isClass('grass', 'farmland', 'wetland', 'scrub', 'garden'),
      paint: { 'fill-color': c.grass, 'fill-opacity': 0.8 },
    },
    {
      id: 'green',
      of: 'landuse',
      type: 'fill',
      where: isClass('cemetery', 'pitch', 'playground', 'stadium', 'park', 'zoo'),
      paint: { 'fill-color': c.grass },
    },
    { id: 'park', of: 'park', type: 'fill', paint: { 'fill-color': c.wood, 'fill-opacity': 0.8 } },
    { id: 'water', of: 'water', type: 'fill', where: notInTunnel, paint: { 'fill-color': c.water } },
    {
      id: 'building',
      of: 'building',
      type: 'fill',
      minzoom: 13,
      paint: { 'fill-color': c.building, 'fill-opacity': byZoom(13, 0, 14.5, 1) },
    },
  ]
}
