import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A geocoder on a port of its own that returns configured responses and records its requests. */
export interface FakeGeocoder {
  readonly url: string
  readonly asked: { readonly path: string; readonly query: URLSearchParams; readonly userAgent: string | undefined }[]
  answer: Answering
  close(): Promise<void>
}

export async function startGeocoder(): Promise<FakeGeocoder> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    geocoder.asked.push({ path: pathname, query: searchParams, userAgent: request.headers['user-agent'] })
    geocoder.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const geocoder: FakeGeocoder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: json(photonAnswer()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return geocoder
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answering {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** A response of Photon, with the properties it sends besides the address. */
export function photonAnswer(...features: object[]) {
  return { type: 'FeatureCollection', features }
}

export function photonFeature(properties: object, longitude = -73.985656, latitude = 40.748433) {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { osm_type: 'W', osm_id: 34633854, osm_key: 'office', osm_value: 'yes', ...properties },
  }
}

export const empireState = photonFeature({
  type: 'house',
  name: 'Empire State Building',
  housenumber: '350',
  street: '5th Avenue',
  district: 'Manhattan',
  city: 'New York',
  county: 'New York County',
  state: 'New York',
  postcode: '10118',
  country: 'United States',
  countrycode: 'US',
  extent: [-73.9864855, 40.7489596, -73.9848312, 40.7479255],
})

/** A response of Nominatim to `/reverse?format=jsonv2`. */
export const nominatimAnswer = {
  place_id: 334_623_191,
  licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
  osm_type: 'way',
  osm_id: 518_071_791,
  lat: '52.5170365',
  lon: '13.3888599',
  category: 'place',
  type: 'house',
  place_rank: 30,
  importance: 0.00001,
  addresstype: 'place',
  name: '',
  display_name: '77, Unter den Linden, Mitte, Berlin, 10117, Deutschland',
  address: {
    house_number: '77',
    road: 'Unter den Linden',
    suburb: 'Mitte',
    city: 'Berlin',
    'ISO3166-2-lvl4': 'DE-BE',
    postcode: '10117',
    country: 'Germany',
    country_code: 'de',
  },
  boundingbox: ['52.5169865', '52.5170865', '13.3888099', '13.3889099'],
}
