import { areaOf, areaSizes } from '@hither/contract/runtime/areas.ts'
import fc from 'fast-check'
import { distance } from 'geokdbush'
import { describe, expect, it } from 'vitest'
import { createAreas } from './areas.ts'

describe('areaOf', () => {
  it.each([
    [
      [40.7589, -73.9851],
      [40.755, -73.986799],
      [40.775, -73.987528],
    ],
    [
      [52.520008, 13.404954],
      [52.525, 13.411861],
      [52.525, 13.394202],
    ],
    [
      [-33.8688, 151.2093],
      [-33.865, 151.21132],
      [-33.875, 151.184343],
    ],
    [
      [0, 0],
      [0.005, 0.005],
      [0.025, 0.025],
    ],
    [
      [10.5, 180],
      [10.505, -179.994915],
      [10.525, -179.974573],
    ],
    [
      [10.5, -180],
      [10.505, -179.994915],
      [10.525, -179.974573],
    ],
    [
      [90, 0],
      [89.995, 0],
      [89.975, 0],
    ],
  ] as const)('returns the center of the cell of %j', ([latitude, longitude], small, large) => {
    const [smallLatitude, smallLongitude] = small
    const [largeLatitude, largeLongitude] = large
    expect(areaOf(latitude, longitude, 1)).toEqual({
      latitude: smallLatitude,
      longitude: smallLongitude,
      radius_m: 1000,
    })
    expect(areaOf(latitude, longitude, 5)).toEqual({
      latitude: largeLatitude,
      longitude: largeLongitude,
      radius_m: 5000,
    })
  })

  it('returns the same area for every place of a cell', () => {
    expect(areaOf(40.7501, -73.993, 1)).toEqual(areaOf(40.7599, -73.9805, 1))
    expect(areaOf(40.7599, -73.9805, 1)).not.toEqual(areaOf(40.7601, -73.9805, 1))
  })

  it('never returns -0', () => {
    for (const longitude of [-0, 0, 180, -180])
      for (const latitude of [-90, -0.001, 0, 90])
        for (const size of [1, 5] as const)
          expect(JSON.stringify(Object.values(areaOf(latitude, longitude, size)))).not.toContain('-0,')
  })

  it.each([1, 5] as const)('returns a circle of %i km that contains the place, for 10,000 places', (size) => {
    const degrees = (most: number) =>
      fc.oneof(
        { weight: 8, arbitrary: fc.double({ min: -most, max: most, noNaN: true }) },
        fc.constantFrom(-most, most, 0),
        // Near a pole or the antimeridian, where the width of the cells and the first column change.
        fc.double({ min: 0, max: 0.1, noNaN: true }).map((less) => most - less),
        fc.double({ min: 0, max: 0.1, noNaN: true }).map((more) => more - most),
      )
    const isInside = (latitude: number, longitude: number) => {
      const area = areaOf(latitude, longitude, size)
      expect(area.radius_m).toBe(areaSizes[size].radiusM)
      const meters = distance(longitude, latitude, area.longitude, area.latitude) * 1000
      expect(meters).toBeLessThanOrEqual(area.radius_m)
    }
    fc.assert(fc.property(degrees(90), degrees(180), isInside), { numRuns: 10_000 })
  })
})

describe('the town of an area', () => {
  it('is that of the center, whatever the place', async () => {
    const findArea = createAreas({ near: async (latitude, longitude) => `near ${latitude}, ${longitude}` })
    const area = { latitude: 40.755, longitude: -73.986799, radius_m: 1000, address: 'near 40.755, -73.986799' }
    expect(await findArea(40.7589, -73.9851, 1)).toEqual(area)
    expect(await findArea(40.7501, -73.9921, 1)).toEqual(area)
  })
})
