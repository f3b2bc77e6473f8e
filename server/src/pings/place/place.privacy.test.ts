import type { PingId } from '@hither/contract/ids.ts'
import type { CreatePing } from '@hither/contract/pings.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { serveWebApp } from '../../previews/harness.ts'
import { connect, type TestGateway } from '../../realtime/harness.ts'
import { newToken } from '../guests/harness.ts'
import { minuteMs } from '../harness.ts'
import { type Cast, exact, neighbor, startCast } from './harness.ts'

let cast: Cast
let stopWeb: () => Promise<void>
/** The web app as the server serves it, with the database of the cast. */
let web: FastifyInstance

beforeAll(async () => {
  cast = await startCast()
  ;({ web, close: stopWeb } = await serveWebApp(cast))
})

afterAll(async () => {
  await stopWeb()
  await cast.server.close()
})

afterEach(() => cast.clear())

/** Replaces what may differ between two pings: ids, tokens and times. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\d{8}T\d{6}Z/g, 'TIME')
    .replaceAll(/"(?:exp|expires_at|ref)":"?\d+"?/g, '')
}

async function bytesOf(path: string, as?: Person, headers: Record<string, string> = {}): Promise<string> {
  const authorization = as === undefined ? {} : { authorization: `Bearer ${as.session.access_token}` }
  const response = await fetch(`${cast.server.url}${path}`, { headers: { ...authorization, ...headers } })
  return `${response.status} ${Buffer.from(await response.arrayBuffer()).toString('latin1')}`
}

/** Everything that people who may not know the exact place of a ping receive during its life, without ids and times. */
async function observe(fields: Pick<CreatePing, 'exact_place_for' | 'area_km' | 'latitude' | 'longitude' | 'address'>) {
  const { server, ann, cat, eve } = cast
  const device = await connect({ origin: server.url.replace('http', 'ws') } as TestGateway)
  const bindings = ['location_pins', 'ping_responses', 'ping_guests'].map((table) => ({
    ...{ event: '*', schema: 'public', table },
  }))
  await device.join('realtime:place', '1', cat.session.access_token, { postgres_changes: bindings })
  await device.settle()
  const seen: string[] = []
  const ping = await cast.drop(ann, {
    ...{ ...fields, name: 'Coffee', message: 'Ring twice', is_public: true, guest_policy: 'approval' },
    ...(fields.exact_place_for === 'invited' && { recipient_ids: [cast.bob.id] }),
    activates_at: cast.ahead(10),
  })
  const { id } = ping
  const token = newToken()
  const look = async () => {
    for (const viewer of [cat, eve, undefined]) {
      for (const path of [`/api/pings/${id}`, `/api/pings/${id}/calendar.ics`, `/api/pings/${id}/responses`])
        seen.push(await bytesOf(path, viewer))
      if (viewer) seen.push(await bytesOf('/api/pings/', viewer), await bytesOf('/api/users/me', viewer))
    }
    for (const path of ['guests/me', 'calendar.ics'])
      seen.push(await bytesOf(`/api/pings/${id}/${path}`, undefined, { authorization: `Guest ${token}` }))
    seen.push(await bytesOf(`/api/pings/${id}/preview.png`))
    seen.push((await web.inject({ url: `/pins/${id}` })).body)
  }
  await look()
  for (const reply of [
    await cast.respond(id, 'tentative', cat),
    await cast.respond(id, 'accepted', eve),
    await cast.respondAs(id, 'Mia', token),
    await cast.edit(id, token, { response_type: 'tentative' }),
  ])
    seen.push(JSON.stringify(reply.body))
  await cast.change(id, { guest_policy: 'open' }, ann)
  cast.server.clock.advance(10 * minuteMs)
  await cast.server.app.pingJobs.runDue()
  if (fields.exact_place_for === 'going') await cast.respond(id, 'tentative', eve)
  await look()
  await cast.change(id, { end: true }, ann)
  await look()
  await cast.remove(id, ann)
  await device.settle()
  await server.app.catchUp()
  seen.push(JSON.stringify(await device.settle()))
  device.webSocket.terminate()
  // Previews contain the time.
  server.clock.advance(-10 * minuteMs)
  const pushes = await server.db`select * from push_deliveries`
  seen.push(JSON.stringify(pushes.map(({ id: _, ...push }) => push)))
  return { seen, texts: seen.map(withoutIds) }
}

/** Digits and words of both places that no area contains. */
const traces = [exact, neighbor].flatMap(({ latitude, longitude, address }) => [
  ...[
    String(latitude),
    String(longitude),
    latitude.toFixed(6),
    longitude.toFixed(6),
    latitude.toFixed(4),
    longitude.toFixed(4),
  ],
  address,
])

it.each([
  ['going', 1],
  ['invited', 5],
] as const)(
  'two pings for %s in one cell of %i km are the same, byte by byte, to everyone else',
  { timeout: 120_000 },
  async (exact_place_for, area_km) => {
    const first = await observe({ ...exact, exact_place_for, area_km })
    const second = await observe({ ...neighbor, exact_place_for, area_km })
    expect(second.texts).toEqual(first.texts)
    for (const text of [...first.seen, ...second.seen]) for (const trace of traces) expect(text).not.toContain(trace)
  },
)

it('the link preview is the same for pings in different cities', async () => {
  const { ann } = cast
  const preview = async (id: PingId) => [
    await bytesOf(`/api/pings/${id}/preview.png`),
    (await web.inject({ url: `/pins/${id}` })).body.replaceAll(id, 'ID'),
  ]
  const fields = { name: 'Coffee', is_public: true, exact_place_for: 'going' } as const
  const hoboken = await cast.drop(ann, { ...exact, ...fields })
  const berlin = await cast.drop(ann, { ...fields, latitude: 52.520008, longitude: 13.404954, address: 'Mitte' })
  const known = await cast.drop(ann, { ...exact, name: 'Coffee', is_public: true })
  const [first, ...others] = [await preview(hoboken.id), await preview(berlin.id), await preview(known.id)]
  for (const other of others) expect(other).toEqual(first)
})
