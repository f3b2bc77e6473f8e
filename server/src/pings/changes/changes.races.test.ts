import type { ChangePing, OwnPing } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { receivedBy, runsFor } from '../../../test/harness.ts'
import { race } from '../../../test/race.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Cast, minuteMs, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterAll(() => cast.server.close())

afterEach(() => cast.clear())

const lockAnn = (tx: Tx) => tx`select id from users where id = ${cast.ann.id} for update`
const inOrder = async (...calls: (() => Promise<{ status: number }>)[]) =>
  (await race(cast.server.db, lockAnn, ...calls)).map(({ status }) => status)

describe('two concurrent edits of the same version', () => {
  it('are one 200 and one 409, and one UPDATE', async () => {
    const rounds = runsFor(50)
    const listener = await cast.server.listen(cast.bob, ['location_pins', 'users'])
    const { id } = await cast.drop(cast.ann)
    for (let round = 0; round < rounds; round++) {
      const { updated_at } = (await cast.read(id, cast.ann)).body as OwnPing
      const save = (name: string) => cast.change(id, { name, expected_updated_at: updated_at }, cast.ann)
      const replies = await Promise.all([save(`Tea ${round}`), save(`Cake ${round}`)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    }
    const changes = await receivedBy(cast.server, cast.bob, listener)
    expect(changes.filter(({ eventType }) => eventType === 'UPDATE')).toHaveLength(rounds)
    await listener.close()
  })

  it('of which the second waits for the first save nothing in the second', async () => {
    const { id, updated_at } = await cast.drop(cast.ann)
    const save = (name: string) => () => cast.change(id, { name, expected_updated_at: updated_at }, cast.ann)
    expect(await inOrder(save('Tea'), save('Cake'))).toEqual([200, 409])
    expect((await cast.read(id, cast.ann)).body).toMatchObject({ name: 'Tea' })
  })
})

it('a change of the start at the activation is refused, or the ping is activated later', async () => {
  for (let round = 0; round < runsFor(100); round++) {
    const { id } = await cast.drop(cast.ann, { activates_at: cast.ahead(30), duration_minutes: 60 })
    cast.server.clock.advance(30 * minuteMs - (round % 2))
    const change: ChangePing = { activates_at: cast.ahead(45) }
    const [edit] = await Promise.all([cast.change(id, change, cast.ann), cast.server.app.pingJobs.runDue()])
    const { body } = await cast.read(id, cast.bob)
    const [row] = await cast.server.db`select announced_status from location_pins where id = ${id}`
    if (edit.status === 409) expect([body.status, round % 2]).toEqual(['active', 0])
    else expect([edit.status, body.status, row?.['announced_status']]).toEqual([200, 'pending', 'pending'])
    await cast.remove(id, cast.ann)
  }
})

it('a response is before a change or after it', async () => {
  const { id } = await cast.drop(cast.ann, { activates_at: cast.ahead(60) })
  const respond = () => cast.respond(id, 'accepted', cast.bob)
  const move = (longitude: number) => () => cast.change(id, { latitude: 1, longitude }, cast.ann)
  const revision = async () => (await cast.answers(id, cast.ann)).body[0]?.revision
  expect(await inOrder(respond, move(1))).toEqual([200, 200])
  expect(await revision()).toBe(0)
  expect(await inOrder(move(2), respond)).toEqual([200, 200])
  expect(await revision()).toBe(2)
})

it('a response that comes with a removal leaves nothing behind', async () => {
  const { id } = await cast.drop(cast.ann)
  const respond = () => cast.respond(id, 'accepted', cast.bob)
  const remove = () => cast.uninvite(id, cast.bob, cast.ann)
  expect(await inOrder(remove, respond)).toEqual([204, 404])
  await cast.invite(id, [cast.bob], cast.ann)
  expect(await inOrder(respond, remove)).toEqual([200, 204])
  expect((await cast.answers(id, cast.ann)).body).toEqual([])
})

it('an invitation while the friendship ends is refused, or the person loses access to the ping', async () => {
  const { id } = await cast.drop(cast.ann, { recipient_ids: [cast.bob.id] })
  const invite = () => cast.invite(id, [cast.cat], cast.ann)
  const block = () => cast.block(cast.cat, cast.ann)
  expect(await inOrder(block, invite)).toEqual([expect.any(Number), 422])
  expect((await cast.list(cast.cat)).body).toEqual([])
  await cast.unblock(cast.cat, cast.ann)
  await cast.server.befriend(cast.ann, cast.cat)
  expect((await inOrder(invite, block))[0]).toBe(200)
  expect((await cast.list(cast.cat)).body).toEqual([])
  await cast.unblock(cast.cat, cast.ann)
  await cast.server.befriend(cast.ann, cast.cat)
})

it('two concurrent cancellations keep the message of the first', async () => {
  const { id } = await cast.drop(cast.ann)
  expect(
    await inOrder(
      () => cast.cancel(id, cast.ann, 'Rain'),
      () => cast.cancel(id, cast.ann, 'Snow'),
    ),
  ).toEqual([200, 200])
  expect((await cast.read(id, cast.bob)).body).toMatchObject({ cancel_message: 'Rain' })
})
