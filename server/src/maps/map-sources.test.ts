import { describe, expect, test } from 'vitest'
import { mapSources } from './map-sources.ts'

const none = { styleUrl: null, satelliteUrl: null, key: null, online: true, hosts: [] }

describe('the external map sources', () => {
  test('are OpenFreeMap, NASA and the USGS by default', () => {
    const { streets, satellite, hosts } = mapSources(none)
    expect(streets).toMatchObject({ kind: 'tilejson', url: 'https://tiles.openfreemap.org/planet' })
    expect(satellite[0]).toMatchObject({ bounds: null, max_zoom: 8 })
    expect(satellite.slice(1).every(({ bounds }) => bounds?.length === 4)).toBe(true)
    expect(hosts).toEqual([
      'https://tiles.openfreemap.org',
      'https://gibs.earthdata.nasa.gov',
      'https://basemap.nationalmap.gov',
    ])
  })

  test('are none when online maps are off, whatever else is set', () => {
    const settings = {
      ...none,
      online: false,
      styleUrl: 'https://a.example.org/style.json',
      hosts: ['https://b.example'],
    }
    expect(mapSources(settings)).toEqual({ streets: null, satellite: [], hosts: [] })
  })

  test.each([
    ['https://tiles.example.org/{z}/{x}/{y}.pbf', 'tiles'],
    ['https://tiles.example.org/tiles.json', 'tilejson'],
    ['https://tiles.example.org/planet', 'tilejson'],
    ['https://tiles.example.org/maps/streets/style.json', 'style'],
    ['https://tiles.example.org/styles/liberty', 'style'],
  ])('recognize %s as %s', (styleUrl, kind) => {
    expect(mapSources({ ...none, styleUrl }).streets?.kind).toBe(kind)
  })

  test('get the key at its placeholder, or else as a parameter, and defaults never get it', () => {
    const key = 'a&b'
    const urlOf = (styleUrl: string | null) => mapSources({ ...none, key, styleUrl }).streets?.url
    expect(urlOf('https://t.example.org/{z}/{x}/{y}?api_key={key}')).toBe(
      'https://t.example.org/{z}/{x}/{y}?api_key=a%26b',
    )
    expect(urlOf('https://t.example.org/tiles.json')).toBe('https://t.example.org/tiles.json?key=a%26b')
    expect(urlOf('https://t.example.org/tiles.json?v=3')).toBe('https://t.example.org/tiles.json?v=3&key=a%26b')
    expect(JSON.stringify(mapSources({ ...none, key }))).not.toContain('a%26b')
  })
})
