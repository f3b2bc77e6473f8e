import { Writable } from 'node:stream'
import { createGuest } from '@hither/contract/guests.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import { type CreatePing, createPing } from '@hither/contract/pings.ts'
import { expect, it } from 'vitest'
import { startServer } from '../../../test/harness.ts'
import { createLog } from '../../ops/log.ts'
import { place } from '../harness.ts'
import { newToken } from './harness.ts'

it('new guests of one address are limited for a ping and for all pings', async () => {
  const server = await startServer({ RATE_LIMITS: 'on' })
  try {
    const ann = await server.signUp('ann')
    const body = { ...place, is_public: true, guest_policy: 'open', recipient_ids: [] as UserId[] } satisfies CreatePing
    const pings: PingId[] = []
    for (let count = 0; count < 4; count++) pings.push((await server.call(createPing, { body }, ann)).body.id)
    const respond = (id: PingId) =>
      server.call(createGuest, { params: { id }, body: { token: newToken(), name: 'Mia', response_type: 'accepted' } })
    const statusesOf = async (id: PingId, count: number) => {
      const statuses: number[] = []
      for (let call = 0; call < count; call++) statuses.push((await respond(id)).status)
      return statuses
    }
    const [first, second, third, fourth] = pings as [PingId, PingId, PingId, PingId]
    expect(await statusesOf(first, 21)).toEqual([...Array(20).fill(201), 429])
    const { status, headers } = await respond(first)
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await statusesOf(second, 20)).toEqual(Array(20).fill(201))
    // 42 calls of the address so far.
    expect(await statusesOf(third, 19)).toEqual([...Array(18).fill(201), 429])
    expect(await statusesOf(fourth, 1)).toEqual([429])
  } finally {
    await server.close()
  }
})

it('neither token nor name of a guest is in the log, the metrics or the push queue', async () => {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const server = await startServer({ LOG_LEVEL: 'trace' }, createLog('trace', destination))
  try {
    const ann = await server.signUp('ann')
    const body = { ...place, is_public: true, guest_policy: 'open', recipient_ids: [] as UserId[] } satisfies CreatePing
    const { id } = (await server.call(createPing, { body }, ann)).body
    const token = newToken()
    const params = { id }
    await server.call(createGuest, { params, body: { token, name: 'Zebulon', response_type: 'accepted' } })
    const headers = { authorization: `Guest ${token}` }
    await server.request('GET', `/api/pings/${id}/guests/me`, { headers })
    await server.request('PATCH', `/api/pings/${id}/guests/me`, { headers, body: { name: 'Zebulon\u0000' } })
    await server.request('GET', `/api/pings/${id}/guests/me?token=${token}`, { headers })
    const metrics = await server.request('GET', '/metrics')
    const queue = await server.db`select * from push_deliveries`
    const written = JSON.stringify([lines, metrics.body, queue])
    expect(written).not.toContain('Zebulon')
    expect(written).not.toContain(token)
    expect(lines.length).toBeGreaterThan(0)
  } finally {
    await server.close()
  }
})
