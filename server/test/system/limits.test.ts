import { randomUUID } from 'node:crypto'
import { logout } from '@hither/contract/auth/auth.ts'
import { getConfig } from '@hither/contract/config.ts'
import { realtimePath } from '@hither/contract/feeds.ts'
import { uploadMessagePhoto, uploadProfileImage } from '@hither/contract/files.ts'
import { lookUpFriendLink } from '@hither/contract/friend-links.ts'
import { searchMessages } from '@hither/contract/messages/message-search.ts'
import { editMessage, keepConversation, pinConversation, sendMessage } from '@hither/contract/messages/messages.ts'
import { setReaction } from '@hither/contract/messages/reactions.ts'
import type { Operation, RateLimit } from '@hither/contract/operation.ts'
import { getPing, getPingPreview } from '@hither/contract/pings.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionsOn } from '../../src/messages/harness.ts'
import { ceiling, refusedTokens } from '../../src/platform/http/rate-limits.ts'
import { type Person, startServer, type TestServer } from '../harness.ts'
import { operations } from '../operations.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

afterAll(() => server.close())

const tooMany = {
  status: 429,
  body: { detail: 'Too many attempts. Please wait a moment and try again.', code: 'rate_limited' },
}

/** Makes `max` calls and one more, and returns their statuses. */
async function useUp({ max }: Pick<RateLimit, 'max'>, call: () => Promise<{ status: number; body: unknown }>) {
  const statuses = new Set<number>()
  for (let left = max; left > 0; left -= 20) {
    const answers = await Promise.all(Array.from({ length: Math.min(20, left) }, call))
    for (const { status } of answers) statuses.add(status)
  }
  return { all: [...statuses], next: await call() }
}

function limitOf(operation: Operation): RateLimit {
  const [limit] = operation.rateLimits ?? []
  if (!limit) throw new Error(`${operation.address} has no limit`)
  return limit
}

/**
 * Operations that change something and have no rate limit besides the general one: they are as cheap as a read, end or undo
 * something of the caller, or are for admins only.
 */
const belowCeilingOnly = [
  'POST /auth/logout',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/:id',
  'DELETE /circles/:id',
  'DELETE /files/pin-image/:pingId',
  'DELETE /files/profile-image',
  'DELETE /friends/:id',
  'PATCH /friends/:id/respond',
  'DELETE /friends/block/:username',
  'DELETE /friends/links/:id',
  'DELETE /messages/conversations/:id',
  'DELETE /pings/:id/trip',
  'DELETE /messages/messages/:id',
  'PATCH /messages/conversations/:id/mark-read',
  'DELETE /notifications/mutes/:conversationId',
  'DELETE /notifications/subscription',
  'PATCH /notifications/preferences',
  'DELETE /pings/my-ping',
  'DELETE /pings/:id',
  'DELETE /pings/respond/:id',
]

describe('the contract', () => {
  it('has a rate limit for each operation that writes, uploads a file, or needs no account', () => {
    const open = operations
      .filter(
        ({ address, auth, upload }) =>
          (!address.startsWith('GET ') || upload || auth !== 'required') &&
          (!address.includes(' /admin/') || address.endsWith('/claim')),
      )
      .filter(({ rateLimits = [] }) => rateLimits.length === 0)
      .map(({ address }) => address)
    const readByAnyone = ['GET /config', 'GET /maps/:name']
    expect(open.toSorted()).toEqual([...belowCeilingOnly, ...readByAnyone].toSorted())
  })

  it('has one limit for operations that are counted together', () => {
    const byGroup = new Map<string, RateLimit>()
    for (const limit of operations.flatMap(({ rateLimits = [] }) => rateLimits)) {
      if (limit.group === undefined) continue
      expect(byGroup.get(limit.group) ?? limit).toEqual(limit)
      byGroup.set(limit.group, limit)
    }
    expect([...byGroup.keys()].toSorted()).toEqual([
      'account export',
      'addresses of positions',
      'areas',
      'banner',
      'guest changes',
      'guests of own pins',
      'keep a chat',
      'look-ups of users',
      'message searches',
      'messages of a day',
      'pin and archive',
      'place searches',
      'reactions',
    ])
  })

  it('limits operations without authentication by network address', () => {
    const uncounted = operations.filter(
      ({ auth, rateLimits = [] }) =>
        auth !== 'required' &&
        rateLimits.length > 0 &&
        !rateLimits.some(({ by }) => by === 'address' || by === 'visitor'),
    )
    expect(uncounted.map(({ address }) => address)).toEqual([])
  })
})

/** Lists that the operator's settings bound, and the guests of a pin, whose number a rule bounds by day, with those who learned its place. */
const boundedOtherwise = [
  'own_streets',
  'satellite',
  'locales',
  'checks',
  'tiles',
  'center',
  'vector_layers',
  'guests',
  'place_known_by',
]

/** The places of the lists in a reply that have neither a page nor a fixed bound. A page bounds the outermost list. */
function unboundedLists(schema: unknown, hasPage: boolean, place = 'reply'): string[] {
  const { type, items, maxItems, properties, anyOf } = schema as {
    type?: unknown
    items?: unknown
    maxItems?: number
    properties?: Record<string, unknown>
    anyOf?: unknown[]
  }
  if (type === 'array' || items !== undefined) {
    const isBounded = hasPage || maxItems !== undefined || boundedOtherwise.some((name) => place.endsWith(`.${name}`))
    return [...(isBounded ? [] : [place]), ...unboundedLists(items ?? {}, false, `${place}[]`)]
  }
  return [
    ...(anyOf ?? []).flatMap((part) => unboundedLists(part, hasPage, place)),
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => unboundedLists(part, hasPage, `${place}.${name}`)),
  ]
}

describe('a reply of the contract', () => {
  it('has a page or a fixed bound for each of its lists, or is sent in parts', () => {
    const inParts = ['GET /users/me/export', 'POST /users/me/export']
    const unbounded = operations
      .filter((operation) => !inParts.includes(operation.address))
      .flatMap((operation) => {
        const input = operation.query ?? operation.body ?? {}
        const { properties = {} } = input as { properties?: Record<string, { maximum?: number }> }
        const lists = Object.values(operation.replies).flatMap((reply) =>
          unboundedLists(reply, properties['limit']?.maximum !== undefined),
        )
        return [...new Set(lists)].map((list) => `${operation.address}: ${list}`)
      })
    expect(unbounded).toEqual([])
  })
})

describe('the rate limits of one user', () => {
  it('count uploads, also failed ones', async () => {
    const upload = () => {
      const form = new FormData()
      form.set('file', new Blob(['no picture']), 'a.jpg')
      const headers = { authorization: `Bearer ${ann.session.access_token}` }
      return fetch(`${server.url}/api${splitAddress(uploadProfileImage.address).path}`, {
        method: 'POST',
        body: form,
        headers,
      }).then(async (answer) => ({ status: answer.status, body: await answer.json() }))
    }
    const { all, next } = await useUp(limitOf(uploadProfileImage), upload)
    expect(all).toEqual([415])
    expect(next).toMatchObject(tooMany)
  })

  it('count photos for messages, also in different conversations', async () => {
    const [fay, gil, ida] = await Promise.all([server.signUp('fay'), server.signUp('gil'), server.signUp('ida')])
    await server.befriend(fay, gil)
    await server.befriend(fay, ida)
    const cast = actionsOn(server)
    const chats = [await cast.make(fay, [gil]), await cast.make(fay, [ida])]
    let calls = 0
    const limit = limitOf(uploadMessagePhoto)
    expect(limit).toMatchObject({ max: 60, seconds: 3600 })
    const { all, next } = await useUp(limit, () => {
      const chat = chats[calls++ % 2] as (typeof chats)[number]
      return cast.upload(chat.id, fay, 'no picture')
    })
    expect(all).toEqual([415])
    expect(next).toMatchObject(tooMany)
  })

  it('count attempts to take a username', async () => {
    const rename = () => server.call(updateUser, { params: { id: ann.id }, body: { username: 'bob' } }, ann)
    const { all, next } = await useUp(limitOf(updateUser), rename)
    expect(all).toEqual([409])
    expect(next).toMatchObject(tooMany)
  })

  it('are checked after the input, which uses up nothing if it is invalid', async () => {
    const eve = await server.signUp('eve')
    const rename = (username: string) => server.call(updateUser, { params: { id: eve.id }, body: { username } }, eve)
    expect((await rename('')).status).toBe(422)
    const { all, next } = await useUp(limitOf(updateUser), () => rename('bob'))
    expect(all).toEqual([409])
    expect(next).toMatchObject(tooMany)
    expect((await rename('')).status).toBe(422)
  })

  it('are checked after a text of a message, a reaction or a search, which uses up nothing if it is invalid', async () => {
    const [hal, ivy] = await Promise.all([server.signUp('hal'), server.signUp('ivy')])
    await server.befriend(hal, ivy)
    const cast = actionsOn(server)
    const { id } = await cast.make(hal, [ivy])
    const { id: message } = await cast.say(id, hal)
    const search = (body: { q: string; cursor?: string }) => server.call(searchMessages, { body }, hal)
    const calls = [
      [editMessage, () => cast.edit(message, hal, 'Hello'), [() => cast.edit(message, hal, 'x'.repeat(4001))]],
      [setReaction, () => cast.react(message, hal), [() => cast.react(message, hal, 'a')]],
      [
        searchMessages,
        () => search({ q: 'hello' }),
        [() => search({ q: '??' }), () => search({ q: 'ab', cursor: 'x' })],
      ],
      [sendMessage, () => cast.send(id, hal), [() => cast.send(id, hal, ' ')]],
    ] as const
    for (const [operation, valid, invalid] of calls) {
      // Beyond 1200 calls within a minute, every call would be refused.
      server.clock.advance(60_000)
      for (const call of invalid) expect((await call()).status).toBe(422)
      const { all, next } = await useUp(limitOf(operation), valid)
      // Only some searches of one person may wait at once.
      expect(all.every((status) => status < 300 || (operation === searchMessages && status === 503))).toBe(true)
      expect(next).toMatchObject(tooMany)
      for (const call of invalid) expect((await call()).status).toBe(422)
    }
  })

  it('are shared by setting and removing a reaction, by pinning and archiving, and by asking to keep a chat and back', async () => {
    const [jan, kim, lou] = await Promise.all([server.signUp('jan'), server.signUp('kim'), server.signUp('lou')])
    await server.befriend(jan, kim)
    await server.befriend(jan, lou)
    const cast = actionsOn(server)
    const { id } = await cast.make(jan, [kim])
    const { id: message } = await cast.say(id, kim)
    const { id: ping_id } = await cast.drop(jan, [kim, lou])
    const pinChat = await cast.make(jan, [kim, lou], { name: 'Coffee Chat', ping_id, system_created: true })
    expect(limitOf(keepConversation)).toMatchObject({ by: 'person', max: 60, seconds: 3600 })
    const groups = [
      [setReaction, [() => cast.react(message, jan), () => cast.unreact(message, jan)]],
      [
        pinConversation,
        [
          () => cast.pin(id, jan),
          () => cast.unpin(id, jan),
          () => cast.archive(id, jan),
          () => cast.unarchive(id, jan),
        ],
      ],
      [keepConversation, [() => cast.keep(pinChat.id, kim), () => cast.takeKeepBack(pinChat.id, kim)]],
    ] as const
    for (const [operation, calls] of groups) {
      let count = 0
      const { all, next } = await useUp(limitOf(operation), () => calls[count++ % calls.length]?.() ?? Promise.reject())
      expect(all.every((status) => status < 300)).toBe(true)
      expect(next).toMatchObject(tooMany)
      for (const call of calls) expect(await call()).toMatchObject(tooMany)
    }
  })

  it('count all calls including invalid ones, and do not affect another user', async () => {
    const wrong = () => server.request('PATCH', '/api/notifications/preferences', { body: '{', as: bob })
    const { all, next } = await useUp(ceiling, wrong)
    expect(all).toEqual([422])
    expect(next).toMatchObject(tooMany)
    expect((await server.request('GET', '/api/users/me', { as: bob })).status).toBe(429)
    expect((await server.request('GET', '/api/users/me', { as: ann })).status).toBe(200)
    server.clock.advance(1000)
    expect((await server.request('GET', '/api/users/me', { as: bob })).status).toBe(200)
  })
})

describe('broadcasts over HTTP', () => {
  const path = `/api${realtimePath}/api/broadcast`

  it('are counted before the body is read', async () => {
    const cat = await server.signUp('cat')
    const { all, next } = await useUp(ceiling, () => server.request('POST', path, { body: '{', as: cat }))
    expect(all).toEqual([422])
    expect(next).toMatchObject(tooMany)
  })

  it('are refused by size before they are validated', async () => {
    const dan = await server.signUp('dan')
    const large = { messages: Array.from({ length: 40_000 }, () => 7) }
    expect((await server.request('POST', path, { body: large, as: dan })).status).toBe(413)
    const wrong = { messages: Array.from({ length: 20 }, () => ({})) }
    const { status, body } = await server.request('POST', path, { body: wrong, as: dan })
    expect(status).toBe(422)
    expect((body as { detail: unknown[] }).detail).toHaveLength(20)
  })
})

describe('the rate limits of one network address', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const pathOf = ({ address }: Operation) => `/api${splitAddress(address).path.replace(/:\w+/, randomUUID())}`

  it.each([
    ['guess at pings', getPing, 404],
    ['have cards drawn', getPingPreview, 200],
    ['guess at friend codes', lookUpFriendLink, 404],
  ] as const)('may %s only so often without an account', async (_name, operation: Operation, status) => {
    const options = operation === lookUpFriendLink ? { body: { code: 'guess' } } : {}
    const ask = (address: string) =>
      server.request(splitAddress(operation.address).method, pathOf(operation), { ...options, ...from(address) })
    const { all, next } = await useUp(limitOf(operation), () => ask('203.0.113.20'))
    expect(all).toEqual([status])
    expect(next).toMatchObject(tooMany)
    expect((await ask('203.0.113.21')).status).toBe(status)
  })

  it('do not count a signed-in user as a visitor', async () => {
    await useUp(limitOf(getPing), () => server.request('GET', pathOf(getPing), from('203.0.113.22')))
    const answer = await server.request('GET', pathOf(getPing), { ...from('203.0.113.22'), as: ann })
    expect(answer.status).toBe(404)
  })

  it('count map tiles', async () => {
    const tile = () => server.request('GET', '/api/maps/none/1/0/0', from('203.0.113.23'))
    const getTile = operations.find(({ address }) => address === 'GET /maps/:name/:z/:x/:y') as Operation
    const { all, next } = await useUp(limitOf(getTile), tile)
    expect(all).toEqual([404])
    expect(next).toMatchObject(tooMany)
  })

  describe('when all calls of an address are used up', () => {
    const used = from('203.0.113.30')
    let exhausted: Awaited<ReturnType<typeof useUp>>
    beforeAll(async () => {
      exhausted = await useUp(ceiling, () => server.request('GET', `/api${splitAddress(getConfig.address).path}`, used))
    })

    it('refuse the next one, but not what asks whether the server runs', async () => {
      expect(exhausted.all).toEqual([200])
      expect(exhausted.next).toMatchObject(tooMany)
      expect((await server.request('GET', '/healthz', used)).status).toBe(200)
    })

    it.each([
      '/pins/0190a0a0-0000-7000-8000-00000000000a',
      '/api/openapi.json',
      '/api/docs/',
      '/readyz',
      '/preview.png',
      '/api/nothing',
    ])('refuse %s, and answer it a second later', async (path) => {
      // Each second gives twenty calls back. This address takes them again.
      await useUp({ max: 20 }, () => server.request('GET', `/api${splitAddress(getConfig.address).path}`, used))
      expect(await server.request('GET', path, used)).toMatchObject({ status: 429 })
      server.clock.advance(1000)
      expect((await server.request('GET', path, used)).status).not.toBe(429)
    })
  })

  it('count refused tokens, by their owner if they are from this server', async () => {
    const at = from('203.0.113.25')
    const ask = (authorization?: string) => {
      const headers = authorization === undefined ? at.headers : { ...at.headers, authorization }
      return server.request('GET', '/api/users/me', { headers })
    }
    const cat = await server.signUp('cat.refused')
    const stale = `Bearer ${cat.session.access_token}`
    await server.call(logout, { body: { access_token: cat.session.access_token } })
    const ofStale = await useUp(refusedTokens, () => ask(stale))
    expect(ofStale.all).toEqual([401])
    expect(ofStale.next).toMatchObject(tooMany)
    // Nobody else in the network is affected by a page that somebody left open.
    const forged = await useUp(refusedTokens, () => ask('Bearer forged'))
    expect(forged.all).toEqual([401])
    expect(forged.next).toMatchObject(tooMany)
    expect((await ask()).status).toBe(429)
    const dan = await server.signUp('dan.expired')
    expect((await ask(`Bearer ${dan.session.access_token}`)).status).toBe(200)
    expect((await server.request('GET', `/api${splitAddress(getConfig.address).path}`, at)).status).toBe(200)
    expect((await server.request('GET', '/api/users/me', from('203.0.113.26'))).status).toBe(401)
    server.clock.advance(3_600_000 + 1000)
    await useUp(refusedTokens, () => ask('Bearer forged'))
    expect((await ask(`Bearer ${dan.session.access_token}`)).status).toBe(401)
  })
})
