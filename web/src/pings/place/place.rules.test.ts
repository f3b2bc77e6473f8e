import type { ShownPlace } from '@hither/contract/areas.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { hiddenPlaceReason, mapName, placeText, withinText } from './area.rules.ts'
import { shortPlaceText } from './place.rules.ts'

const exact: ShownPlace = { latitude: 40.7589, longitude: -73.9851, address: null, place_radius_m: null }
const area: ShownPlace = {
  latitude: 40.755,
  longitude: -73.986799,
  address: 'near Hoboken, New Jersey, US',
  place_radius_m: 1000,
}
const townless: ShownPlace = { ...area, address: null }

beforeEach(() => {
  vi.stubGlobal('navigator', { languages: ['de-DE'] })
  return () => vi.unstubAllGlobals()
})

test('the text of a place is its address or coordinates, or the town of its area and never the center', () => {
  expect(placeText({ ...exact, address: '6th Avenue' })).toBe('6th Avenue')
  expect(placeText(exact)).toBe('40.7589, -73.9851')
  expect(placeText(area)).toBe('Somewhere near Hoboken, New Jersey, US')
  expect(placeText(townless)).toBe('Somewhere in this area')
})

test('the size of an area is in the units of the user', () => {
  expect(withinText(1000)).toBe('Within about 1 km')
  expect(withinText(5000)).toBe('Within about 5 km')
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  expect(withinText(1000)).toBe('Within about 0.6 mi')
  expect(withinText(5000)).toBe('Within about 3 mi')
})

test('the map is named after its place', () => {
  expect(mapName(area)).toBe('Map: somewhere near Hoboken, within about 1 km')
  expect(mapName(townless)).toBe('Map: somewhere in this area, within about 1 km')
  expect(mapName({ ...exact, address: '6th Avenue' })).toBe('Map: 6th Avenue')
  expect(shortPlaceText(area)).toBe('near Hoboken')
  expect(shortPlaceText(townless)).toBe('somewhere in this area')
})

const going = { exact_place_for: 'going', can_respond: true, username: 'sam', display_name: null } as const
const waiting = { state: 'waiting', response_type: 'accepted' } as const

test.each([
  { who: 'somebody who can respond', ping: going, guest: null, text: 'The exact place shows when you answer Going.' },
  {
    who: 'a guest who waits for approval',
    ping: going,
    guest: waiting,
    text: 'sam shares the exact place after approving your response.',
  },
  {
    who: 'a guest whose answer Maybe waits for approval',
    ping: going,
    guest: { ...waiting, response_type: 'tentative' } as const,
    text: 'The exact place shows when you answer Going.',
  },
  {
    who: 'somebody who cannot respond',
    ping: { ...going, can_respond: false },
    guest: null,
    text: 'Only people who are going can see the exact place.',
  },
  {
    who: 'somebody who is not invited',
    ping: { ...going, exact_place_for: 'invited' } as const,
    guest: null,
    text: 'Only people sam invited can see the exact place.',
  },
  {
    who: 'a waiting guest of a pin whose place only invitees see',
    ping: { ...going, exact_place_for: 'invited' } as const,
    guest: waiting,
    text: 'Only people sam invited can see the exact place.',
  },
])('the reason for an area is explained to $who', ({ ping, guest, text }) => {
  expect(hiddenPlaceReason(ping, guest)).toBe(text)
})
