import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Cast, minuteMs, pinNotFound, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterEach(() => cast.clear())

afterAll(() => cast.server.close())

function refused(code: RefusalCode) {
  const { status, detail } = refusals[code]
  return { status, body: { detail } }
}

describe.each([
  ['an active', 0],
  ['a scheduled', 60],
])('the cancellation of %s ping', (_, minutes) => {
  const drop = () =>
    cast.drop(cast.ann, {
      is_public: true,
      guest_policy: 'open',
      ...(minutes > 0 && { activates_at: cast.ahead(minutes) }),
    })

  it('ends it now, and shows the message to everybody who sees it', async () => {
    const { id } = await drop()
    const at = cast.server.clock.now().toISOString()
    const { status, body } = await cast.cancel(id, cast.ann, '  Rain  ')
    const expected = { status: 'expired', expires_at: at, canceled_at: at, cancel_message: 'Rain', revision: 0 }
    expect([status, body]).toMatchObject([200, expected])
    for (const who of [cast.ann, cast.bob]) {
      expect((await cast.read(id, who)).body).toMatchObject(expected)
      expect((await cast.list(who)).body).toEqual([])
    }
    for (const who of [cast.eve, undefined]) expect(await cast.read(id, who)).toMatchObject(pinNotFound)
    expect(await cast.respond(id, 'accepted', cast.bob)).toMatchObject(refused('ping_expired'))
  })

  it('is announced once, also if it is repeated and after its times', async () => {
    const { id } = await drop()
    const listener = await cast.server.listen(cast.bob, ['location_pins', 'users'])
    const first = await cast.cancel(id, cast.ann, 'Rain')
    expect(await cast.cancel(id, cast.ann, 'Snow')).toMatchObject({ status: 200, body: first.body })
    for (let run = 0; run < 3; run++) {
      cast.server.clock.advance(60 * minuteMs)
      await cast.server.app.pingJobs.runDue()
    }
    await cast.remove(id, cast.ann)
    await listener.until(({ eventType }) => eventType === 'DELETE')
    expect(listener.received.map(({ eventType, new: row }) => [eventType, row['canceled_at']])).toEqual([
      ['UPDATE', first.body.canceled_at],
      ['DELETE', undefined],
    ])
    await listener.close()
  })

  it('is for the owner', async () => {
    const { id } = await drop()
    expect(await cast.cancel(id, cast.bob)).toMatchObject(refused('ping_not_changeable'))
    expect(await cast.cancel(id, cast.eve)).toMatchObject(pinNotFound)
  })

  it('is refused after the end', async () => {
    const { id } = await drop()
    cast.server.clock.advance(90 * minuteMs)
    expect(await cast.cancel(id, cast.ann)).toMatchObject(refused('ping_ended'))
  })
})

it('the message of a cancellation has at most 200 characters, without the space around it', async () => {
  const { id } = await cast.drop(cast.ann)
  const msg = pingTexts.cancelMessageTooLong
  const tooLong = { status: 422, body: { detail: [{ loc: ['body', 'message'], msg }] } }
  expect(await cast.cancel(id, cast.ann, '😀'.repeat(201))).toMatchObject(tooLong)
  expect((await cast.cancel(id, cast.ann, ` ${'😀'.repeat(200)} `)).body.cancel_message).toBe('😀'.repeat(200))
  const empty = await cast.drop(cast.ann)
  expect((await cast.cancel(empty.id, cast.ann, '  ')).body.cancel_message).toBeNull()
})

it('the calendar entry of a ping has a sequence number, and a canceled one keeps its times', async () => {
  const { id } = await cast.drop(cast.ann, { activates_at: cast.ahead(60), duration_minutes: 60 })
  const calendar = async () => {
    const { body } = await cast.server.request('GET', `/api/pings/${id}/calendar.ics`, { as: cast.bob })
    return String(body).split('\r\n')
  }
  const utc = (minutes: number) => `${cast.ahead(minutes).slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  expect(await calendar()).toEqual(expect.arrayContaining(['SEQUENCE:0', `DTSTART:${utc(60)}`, `DTEND:${utc(120)}`]))
  await cast.change(id, { activates_at: cast.ahead(90) }, cast.ann)
  const times = [`DTSTART:${utc(90)}`, `DTEND:${utc(150)}`]
  expect(await calendar()).toEqual(expect.arrayContaining(['SEQUENCE:1', ...times]))
  await cast.cancel(id, cast.ann)
  const canceled = ['SEQUENCE:2', 'STATUS:CANCELLED', `UID:${id}`, ...times]
  expect(await calendar()).toEqual(expect.arrayContaining(canceled))
})
