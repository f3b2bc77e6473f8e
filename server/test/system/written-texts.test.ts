import type { ConversationId, MessageId, PingId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from '../../src/moderation/harness.ts'
import { type Cast, newToken, startCast } from '../../src/pings/guests/harness.ts'
import { operations } from '../operations.ts'

// Every field in which somebody writes for others is a name, a line or a text; the rules are in the contract (`texts.ts`).

let cast: Cast
let ping: PingId
let guestToken: string
let group: ConversationId
let message: MessageId
let circle: string

const id = '01900000-0000-7000-8000-000000000000'
const place = { latitude: 1, longitude: 2 }

beforeAll(async () => {
  cast = await startCast()
  const { server, ann, bob, cat } = cast
  await makeAdmin(server, ann)
  await server.befriend(bob, cat)
  ping = (await cast.open()).id
  guestToken = (await cast.addGuest(ping)).token
  const made = await post('/messages/conversations/', { name: 'Walks', participant_ids: [bob.id, cat.id] })
  group = made.body['id'] as ConversationId
  const sent = await post('/messages/send', { conversation_id: group, content: 'Hi' })
  message = (sent.body['message'] as { id: MessageId }).id
  circle = String((await post('/circles', { name: 'Circle', member_ids: [bob.id] })).body['id'])
})

afterAll(() => cast.server.close())

type Answer = { status: number; body: Record<string, unknown> }

async function send(method: 'POST' | 'PATCH' | 'PUT', path: string, body: object, headers = {}): Promise<Answer> {
  return (await cast.server.request(method, `/api${path}`, { body, as: cast.ann, headers })) as Answer
}
const post = (path: string, body: object) => send('POST', path, body)

/** By operation and field: what refuses a hidden character, and the call. */
const names: Record<string, { code: string; call: (name: string) => Promise<Answer> }> = {
  'PATCH /users/:id display_name': {
    code: 'display_name_invalid',
    call: (display_name) => send('PATCH', `/users/${cast.ann.id}`, { display_name }),
  },
  'POST /pings/:id/guests name': {
    code: 'guest_name_invalid',
    call: (name) =>
      cast.server.request('POST', `/api/pings/${ping}/guests`, {
        body: { token: newToken(), name, response_type: 'accepted' },
      }) as Promise<Answer>,
  },
  'PATCH /pings/:id/guests/me name': {
    code: 'guest_name_invalid',
    call: (name) =>
      cast.server.request('PATCH', `/api/pings/${ping}/guests/me`, {
        body: { name },
        headers: { authorization: `Guest ${guestToken}` },
      }) as Promise<Answer>,
  },
  'POST /pings/ name': { code: 'name_hidden', call: (name) => post('/pings/', { ...place, name }) },
  'PATCH /pings/:id name': { code: 'name_hidden', call: (name) => send('PATCH', `/pings/${ping}`, { name }) },
  'POST /messages/conversations/ name': {
    code: 'name_hidden',
    call: (name) => post('/messages/conversations/', { name, participant_ids: [cast.bob.id, cast.cat.id] }),
  },
  'PUT /messages/conversations/:id/name name': {
    code: 'name_hidden',
    call: (name) => send('PUT', `/messages/conversations/${group}/name`, { conversation_id: group, name }),
  },
  'POST /circles name': {
    code: 'circle_name_invalid',
    call: (name) => post('/circles', { name, member_ids: [cast.bob.id] }),
  },
  'PATCH /circles/:id name': {
    code: 'circle_name_invalid',
    call: (name) => send('PATCH', `/circles/${circle}`, { name }),
  },
  'PATCH /auth/passkeys/:id name': {
    code: 'name_hidden',
    call: (name) => send('PATCH', `/auth/passkeys/${id}`, { name }),
  },
  'PUT /admin/banner text': {
    code: 'banner_text_invalid',
    call: (text) => send('PUT', '/admin/banner', { text, ends_at: new Date(Date.now() + 3_600_000).toISOString() }),
  },
}

/** The call, and how its field is stored. Blank ones are refused or become what `blank` says. */
const texts: Record<string, { blank: unknown; call: (text: string) => Promise<unknown> }> = {
  'POST /pings/ message': {
    blank: null,
    call: async (text) => (await post('/pings/', { ...place, name: 'x', message: text })).body['message'],
  },
  'PATCH /pings/:id message': {
    blank: null,
    call: async (text) => (await send('PATCH', `/pings/${ping}`, { message: text })).body['message'],
  },
  'POST /messages/send content': {
    blank: 422,
    call: async (content) => contentOf(await post('/messages/send', { conversation_id: group, content })),
  },
  'PATCH /messages/messages/:id content': {
    blank: 422,
    call: async (content) => contentOf(await send('PATCH', `/messages/messages/${message}`, { content })),
  },
  'POST /pings/:id/cancel message': {
    blank: null,
    call: async (text) => {
      const { id: canceled } = await cast.open()
      return (await post(`/pings/${canceled}/cancel`, { message: text })).body['cancel_message']
    },
  },
  'POST /reports text': {
    blank: null,
    call: async (text) => {
      await cast.server.db`delete from reports`
      const { status } = await post('/reports', { subject: 'user', subject_id: cast.bob.id, reason: 'spam', text })
      expect(status).toBe(201)
      return (await cast.server.db`select text from reports`)[0]?.['text']
    },
  },
  'POST /admin/users/:id/suspend reason': {
    blank: 422,
    call: async (reason) => {
      const { status } = await post(`/admin/users/${cast.eve.id}/suspend`, { reason })
      return status === 204 ? (await cast.server.db`select reason from suspensions`)[0]?.['reason'] : status
    },
  },
}

const lines: typeof texts = {
  'POST /pings/ address': {
    blank: null,
    call: async (address) => (await post('/pings/', { ...place, name: 'x', address })).body['address'],
  },
  'PATCH /pings/:id address': {
    blank: null,
    call: async (address) => (await send('PATCH', `/pings/${ping}`, { address })).body['address'],
  },
  'POST /messages/send place.name': { blank: 422, call: (name) => sendPlace({ name }, 'name') },
  'POST /messages/send place.address': { blank: null, call: (address) => sendPlace({ address }, 'address') },
  'POST /friends/links note': {
    blank: '',
    call: async (note) => {
      await cast.server.db`delete from friend_links`
      return (await post('/friends/links', { kind: 'link', note })).body['note']
    },
  },
  'POST /admin/invitations note': {
    blank: '',
    call: async (note) => (await post('/admin/invitations', { note })).body['note'],
  },
}

function contentOf({ status, body }: Answer) {
  return status < 300 ? (body['message'] as { content: string }).content : status
}

async function sendPlace(fields: object, field: 'name' | 'address') {
  const { status, body } = await post('/messages/send', { conversation_id: group, place: { ...place, ...fields } })
  return status < 300 ? (body['message'] as { attachment: Record<string, unknown> }).attachment[field] : status
}

/** Fields that only this server reads (secrets, codes, what it compares), and the name that comes with the keys of a passkey. */
const notShown =
  /(?:password|token|secret|nonce|code|invitation|verifier|emoji|locale|time_zone|return_to|username|email| response\..*|passkeys name|search (?:q|after|cursor))$/

describe('a field in which people write', () => {
  it('is a name, a line or a text', () => {
    const fields = operations.flatMap((operation) =>
      freeFieldsOf(operation.body as Schema | undefined).map((field) => `${operation.address} ${field}`),
    )
    const known = { ...names, ...texts, ...lines }
    expect(fields.filter((field) => !notShown.test(field)).sort()).toEqual(Object.keys(known).sort())
  })
})

/** The JSON Schema keywords that the contract uses. */
interface Schema {
  type?: string | string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  format?: string
  pattern?: string
  enum?: unknown[]
}

/** The fields without a format, pattern or list of values. */
function freeFieldsOf(schema: Schema = {}, path = ''): string[] {
  const { anyOf, type = [], properties = {}, items, format, pattern } = schema
  const children = [
    ...(anyOf ?? []).map((one) => [one, path] as const),
    ...Object.entries(properties).map(([key, one]) => [one, path === '' ? key : `${path}.${key}`] as const),
    ...(items ? [[items, path] as const] : []),
  ]
  const isFree = !schema.enum && !format && (!pattern || pattern === '^[^\\u0000]*$')
  const own = [type].flat().includes('string') && isFree ? [path] : []
  return [...own, ...children.flatMap(([child, at]) => freeFieldsOf(child, at))]
}

describe.each(Object.keys(names))('the name %s', (field) => {
  const { code, call } = names[field] as (typeof names)[string]

  it.each([
    ...['a\u202eb', 'a\u2067b', 'a\u200fb', 'a\nb', 'a\u2028b', 'a\tb', 'a\u0085b', 'a\0b'],
    ...['a\u200bb', 'a\u200db', 'a\u00adb', 'a\u3164b', 'a\ufeffb', '\u{1f468}\u200d'],
  ])('is refused with a hidden character: %j', async (name) => {
    expect(await call(name)).toMatchObject({
      status: 422,
      body: { detail: [{ code: /pass/.test(field) && name === 'a\0b' ? 'invalid_format' : code }] },
    })
  })

  it.each(['\u200b', '\u2800', '\u3164', '\u00ad', '\u0301', ' \u200e ', '\u{e0061}', '\ufe0f'])(
    'is refused without anything to see: %j',
    async (name) => {
      expect((await call(name)).status).toBe(422)
    },
  )

  it('has its own sentence if it is much too long', async () => {
    const { status, body } = await call('x'.repeat(1001))
    expect(status).toBe(422)
    const [{ code: found }] = body['detail'] as [{ code: string }]
    expect(found).not.toBe(/pass/.test(field) ? 'wrong_type' : 'too_long')
  })

  it.each([
    '\u0622\u0646\u0627 \u0645\u06cc\u200c\u062e',
    '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
    '\u2764\ufe0f\u200d\u{1f525}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '1\ufe0f\u20e3',
    '\u5c71\u7530 \u82b1\u5b50',
  ])('may have joined letters and emoji: %s', async (name) => {
    const { status } = await call(name)
    expect([200, 201, 404, 409]).toContain(status)
  })
})

describe.each(Object.keys({ ...texts, ...lines }))('the text %s', (field) => {
  const { blank, call } = { ...texts, ...lines }[field] as (typeof texts)[string]

  it('is stored without the characters that change the direction and control characters', async () => {
    const stored = await call('\u202ea\u0007\r\nb\u2067 \u200f\u0645\u06cc\u200c\u062e')
    expect(stored).toBe(field in lines ? 'a b \u200f\u0645\u06cc\u200c\u062e' : 'a\nb \u200f\u0645\u06cc\u200c\u062e')
  })

  it.each(['\u200b', '\u2800', '\u3164', '\u202e\u202c', '\u00ad', '\n'])(
    'is blank if nothing can be seen: %j',
    async (text) => {
      expect(await call(text)).toBe(blank)
    },
  )
})
