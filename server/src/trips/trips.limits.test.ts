import { createPing, respondToPing } from '@hither/contract/pings.ts'
import { arriveAtPing, shareTrip } from '@hither/contract/trips.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../test/harness.ts'

it('a person may share 120 arrival times and 60 arrivals in an hour', async () => {
  const server = await startServer({ RATE_LIMITS: 'on' })
  try {
    const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
    await server.befriend(ann, bob)
    const place = { name: 'Coffee', latitude: 45.52, longitude: -122.68 }
    const { id } = (await server.call(createPing, { body: place }, ann)).body
    await server.call(respondToPing, { body: { ping_id: id, response_type: 'accepted' } }, bob)
    const params = { id }
    const share = () => server.call(shareTrip, { params, body: { eta_minutes: 10 } }, bob)
    const arrive = () => server.call(arriveAtPing, { params, body: {} }, bob)
    for (const [max, call] of [[120, share] as const, [60, arrive] as const]) {
      for (let count = 0; count < max; count++) expect((await call()).status).toBe(200)
      const { status, headers } = await call()
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    }
    expect((await server.call(shareTrip, { params, body: { eta_minutes: 10 } }, ann)).status).toBe(200)
    // Minutes out of range are refused before the limit.
    expect((await server.call(shareTrip, { params, body: { eta_minutes: 0 } }, bob)).status).toBe(422)
  } finally {
    await server.close()
  }
})
