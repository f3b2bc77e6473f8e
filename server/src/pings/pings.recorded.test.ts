import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { receivedBy } from '../../test/harness.ts'
import { type Cast, place, startCast } from './harness.ts'

// Clients of earlier releases send neither `circle_ids` nor read `audience`. Their calls, and the answers that the last release
// without circles gave, are in the folder `recorded`.

const recording = new URL('./recorded/before-circles.json', import.meta.url)

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterAll(() => cast.server.close())

it('a ping without circles is answered and announced as by the release before circles', async () => {
  const recorded = JSON.parse(await readFile(recording, 'utf8'))
  const answers = await playOldClients()
  expect(answers).toMatchObject(recorded)
  // Only the owner gains a field.
  expect(namesOf(answers.owner).has('audience')).toBe(true)
  expect(namesOf(recorded).has('audience')).toBe(false)
  for (const name of ['audience', 'circle_ids', 'is_individual'])
    expect(namesOf([answers.others, answers.refusals, answers.live]).has(name)).toBe(false)
})

/** Makes the calls of clients that know no circles. What differs from run to run is replaced by words. */
async function playOldClients() {
  const { server, ann, bob, cat, eve } = cast
  const feeds = ['location_pins', 'ping_responses', 'users'] as const
  const listeners = [await server.listen(ann, feeds), await server.listen(bob, feeds)] as const
  const post = (body: object, as = ann) => {
    server.clock.advance(1000)
    return server.request('POST', '/api/pings/', { body: { ...place, ...body }, as })
  }
  const get = (path: string, as?: typeof ann) => server.request('GET', path, as ? { as } : {})

  const client_id = '01900000-0000-7000-8000-00000000c11e'
  const all = await post({ client_id, message: 'Upstairs', duration_minutes: 60 })
  const named = await post({
    name: 'Tea',
    recipient_ids: [bob.id],
    responses_visible: false,
    address: '2 Hudson Street',
  })
  const open = await post({ name: 'Party', recipient_ids: null, is_public: true, exact_place_for: 'going', area_km: 1 })
  const later = await post({ name: 'Chess', recipient_ids: [cat.id], activates_at: cast.ahead(60) })
  const idOf = ({ body }: typeof all) => (body as { id: string }).id
  await server.request('POST', '/api/pings/respond', {
    body: { ping_id: idOf(all), response_type: 'accepted' },
    as: bob,
  })
  const owner = {
    created: [all, named, open, later],
    repeated: await post({ client_id, name: 'Another' }),
    mine: await get('/api/pings/my-pings', ann),
    list: await get('/api/pings/', ann),
    one: await get(`/api/pings/${idOf(all)}`, ann),
    changed: await server.request('PATCH', `/api/pings/${idOf(named)}`, { body: { message: 'Second floor' }, as: ann }),
    invited: await server.request('POST', `/api/pings/${idOf(named)}/recipients`, {
      body: { recipient_ids: [cat.id] },
      as: ann,
    }),
  }
  const others = {
    list: await get('/api/pings/', bob),
    one: await get(`/api/pings/${idOf(all)}`, bob),
    hidden: await get(`/api/pings/${idOf(open)}`, cat),
    stranger: await get(`/api/pings/${idOf(open)}`, eve),
    visitor: await get(`/api/pings/${idOf(open)}`),
    notInvited: await get(`/api/pings/${idOf(all)}`, eve),
  }
  const refusals = [
    await post({ recipient_ids: [] }),
    await post({ recipient_ids: [eve.id] }),
    await post({ recipient_ids: [ann.id] }),
    await post({ name: '' }),
    await post({ recipient_ids: 'everybody' }),
    await post({}, eve),
  ]
  const live = [await receivedBy(server, ann, listeners[0]), await receivedBy(server, bob, listeners[1])]
  const words = new Map([
    ...[ann, bob, cat, eve].map(({ id, username }) => [id, username] as const),
    ...Object.entries({ all, named, open, later }).map(([name, ping]) => [idOf(ping), name] as const),
  ])
  return JSON.parse(
    JSON.stringify({ owner, others, refusals, live }, (key, value) => {
      if (key === 'headers') return undefined
      return key === 'avatar_color' ? 'a color' : wordOf(value, words)
    }),
  )
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/

function wordOf(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'string') return value
  return words.get(value) ?? (uuid.test(value) ? 'an id' : time.test(value) ? 'a time' : value)
}

/** All names of fields, at any depth. */
function namesOf(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name)
    namesOf(inner, names)
  }
  return names
}
