import type { PingId } from '@hither/contract/ids.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, minuteMs, pinNotFound, startCast, unknownPingId } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterAll(() => cast.server.close())
afterEach(() => cast.clear())

const ask = (id: PingId, as?: Person) =>
  cast.server.request('GET', `/api/pings/${id}/calendar.ics`, as === undefined ? {} : { as })
const scheduled = (isPublic: boolean) =>
  cast.drop(cast.ann, {
    message: 'Bring mugs',
    address: '1 Main St',
    activates_at: cast.ahead(60),
    recipient_ids: [cast.bob.id],
    is_public: isPublic,
  })

describe('the calendar entry of a scheduled ping', () => {
  it('is a file download for the owner and the invitees, and a 404 for everyone else', async () => {
    const { id } = await scheduled(false)
    for (const person of [cast.ann, cast.bob]) {
      const { status, body, headers } = await ask(id, person)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
      expect(headers.get('content-disposition')).toBe('attachment; filename="ping.ics"')
      expect(headers.get('cache-control')).toBe('private, max-age=0, must-revalidate')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(body).toContain('SUMMARY:Coffee\r\n')
      expect(body).toContain('Bring mugs')
      expect(body).toContain(`/pins/${id}`)
    }
    for (const person of [cast.cat, cast.eve, undefined]) expect(await ask(id, person)).toMatchObject(pinNotFound)
    expect(await ask(unknownPingId, cast.ann)).toMatchObject(pinNotFound)
    await cast.unfriend(cast.ann, cast.bob)
    expect(await ask(id, cast.bob)).toMatchObject(pinNotFound)
    await cast.server.befriend(cast.ann, cast.bob)
  })

  it('of a public ping is available to a visitor with only the fields of the link, and not to a blocked user', async () => {
    const { id } = await scheduled(true)
    const { status, body } = await ask(id)
    expect(status).toBe(200)
    expect(body).toContain('LOCATION:1 Main St\r\n')
    expect(body).not.toContain('mugs')
    expect((await ask(id, cast.eve)).status).toBe(200)
    await cast.block(cast.ann, cast.eve)
    expect(await ask(id, cast.eve)).toMatchObject(pinNotFound)
    await cast.unblock(cast.ann, cast.eve)
    cast.server.clock.advance(90 * minuteMs)
    expect(await ask(id)).toMatchObject(pinNotFound)
  })

  it('does not mark the ping as seen', async () => {
    const { id } = await scheduled(false)
    await ask(id, cast.bob)
    expect((await cast.read(id, cast.ann)).body).toMatchObject({ recipients: [{ has_seen: false }] })
  })

  it('returns a refusal for a ping that was never scheduled', async () => {
    const { id } = await cast.drop(cast.ann)
    const { status, detail } = refusals.ping_not_scheduled
    expect(await ask(id, cast.bob)).toMatchObject({ status, body: { detail } })
  })
})
