export type MapScheme = 'light' | 'dark'

/** Muted, so that pins carry the colour. */
export interface MapPalette {
  readonly water: string
  readonly waterText: string
  readonly land: string
  readonly shore: string
  readonly graticule: string
  readonly ice: string
  readonly wood: string
  readonly grass: string
  readonly sand: string
  readonly built: string
  readonly works: string
  readonly building: string
  readonly road: string
  readonly roadEdge: string
  readonly bigRoad: string
  readonly bigRoadEdge: string
  readonly path: string
  readonly rail: string
  readonly border: string
  readonly stateBorder: string
  readonly text: string
  readonly strongText: string
  readonly faintText: string
  readonly halo: string
  readonly grid: string
}

export const mapPalettes: Readonly<Record<MapScheme, MapPalette>> = {
  light: {
    water: '#CBDCE9',
    waterText: '#4C7291',
    land: '#F6F4EF',
    shore: '#B4C6D6',
    graticule: '#BFD2E1',
    ice: '#FFFFFF',
    wood: '#DDE7D5',
    grass: '#E4EBDA',
    sand: '#F1EAD8',
    built: '#EFECE5',
    works: '#ECE9EC',
    building: '#E7E3DB',
    road: '#FFFFFF',
    roadEdge: '#DEDAD1',
    bigRoad: '#FBEFD2',
    bigRoadEdge: '#E0D0A8',
    path: '#D6CFC3',
    rail: '#CBC7CC',
    border: '#AFA6BC',
    stateBorder: '#CFC8D6',
    text: '#565163',
    strongText: '#2F2C3A',
    faintText: '#6C687A',
    halo: 'rgba(251, 250, 247, 0.92)',
    grid: '#1D2B4A',
  },
  dark: {
    water: '#0E1622',
    waterText: '#6E93B5',
    land: '#1C232E',
    shore: '#2E3A4A',
    graticule: '#18222F',
    ice: '#27303C',
    wood: '#1C2A28',
    grass: '#1E2B2A',
    sand: '#262723',
    built: '#1F2631',
    works: '#222733',
    building: '#27303D',
    road: '#364150',
    roadEdge: '#202834',
    bigRoad: '#4B4A45',
    bigRoadEdge: '#2A2C30',
    path: '#37414F',
    rail: '#394352',
    border: '#59647A',
    stateBorder: '#3A4353',
    text: '#B3BDCD',
    strongText: '#E2E7EF',
    faintText: '#8E99AA',
    halo: 'rgba(18, 24, 33, 0.9)',
    grid: '#C9D6F2',
  },
}
