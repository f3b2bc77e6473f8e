export type MapScheme = 'light' | 'dark' | 'imagery'

/** Muted colours, so that the pins stand out. */
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
  readonly motorway: string
  readonly motorwayEdge: string
  readonly path: string
  readonly rail: string
  readonly border: string
  readonly stateBorder: string
  readonly text: string
  readonly strongText: string
  readonly faintText: string
  readonly station: string
  readonly halo: string
  readonly grid: string
}

const drawn: Readonly<Record<'light' | 'dark', MapPalette>> = {
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
    roadEdge: '#D3CDC1',
    bigRoad: '#FBEFD2',
    bigRoadEdge: '#DBC996',
    motorway: '#F6DDA6',
    motorwayEdge: '#D8BC80',
    path: '#D6CFC3',
    rail: '#CBC7CC',
    border: '#AFA6BC',
    stateBorder: '#CFC8D6',
    text: '#565163',
    strongText: '#2F2C3A',
    faintText: '#6C687A',
    station: '#7B7F94',
    halo: 'rgba(251, 250, 247, 0.92)',
    grid: '#1D2B4A',
  },
  dark: {
    water: '#0C131D',
    waterText: '#6E93B5',
    land: '#212935',
    shore: '#3A485A',
    graticule: '#172130',
    ice: '#2C3643',
    wood: '#21302E',
    grass: '#233130',
    sand: '#2B2C28',
    built: '#242D39',
    works: '#272E3A',
    building: '#2C3644',
    road: '#3E4A5A',
    roadEdge: '#1A212B',
    bigRoad: '#56534A',
    bigRoadEdge: '#24262A',
    motorway: '#6B624C',
    motorwayEdge: '#2C2A26',
    path: '#3D4857',
    rail: '#434E5E',
    border: '#59647A',
    stateBorder: '#454F61',
    text: '#B3BDCD',
    strongText: '#E2E7EF',
    faintText: '#98A3B4',
    station: '#8792A6',
    halo: 'rgba(18, 24, 33, 0.9)',
    grid: '#C9D6F2',
  },
}

export const mapPalettes: Readonly<Record<MapScheme, MapPalette>> = {
  ...drawn,
  // Names over imagery lie on any colour.
  imagery: {
    ...drawn.dark,
    text: '#E2E7EF',
    strongText: '#FFFFFF',
    faintText: '#CBD4E0',
    waterText: '#B5D3EE',
    border: '#A9B2C4',
    stateBorder: '#8C97AB',
    halo: 'rgba(10, 14, 20, 0.75)',
  },
}
