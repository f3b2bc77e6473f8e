import type { OwnPing } from '@hither/contract/pings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, runsFor } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import type { Tx } from '../platform/db/database.ts'
import { type Cast, invitees, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

afterEach(async () => {
  await cast.clear()
  await cast.clearCircles()
})

afterAll(() => cast.server.close())

const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`

type Call = () => Promise<{ status: number; body: unknown }>

const statusesOf = async (...calls: Call[]) =>
  (await race(cast.server.db, lockAnn, ...calls)).map(({ status }) => status)

describe('two creations', () => {
  it('of one name on two devices make one circle', async () => {
    const create = (name: string) => () => cast.createCircle({ name, member_ids: [bob.id] }, ann)
    expect(await statusesOf(create('Work'), create('work'))).toEqual([201, 409])
    expect(await cast.circles(ann)).toMatchObject([{ name: 'Work' }])
  })

  it('of the last circle that a user may have make one circle', async () => {
    for (let n = 0; n < 19; n++) await cast.circle(`Circle ${n}`, [bob])
    const create = (name: string) => () => cast.createCircle({ name, member_ids: [bob.id] }, ann)
    expect(await statusesOf(create('Work'), create('Band'))).toEqual([201, 409])
    expect(await cast.circles(ann)).toHaveLength(20)
  })
})

describe('two edits', () => {
  it('with the same expected_updated_at are one 200 and one 409, and one UPDATE', async () => {
    const { id, updated_at } = await cast.circle('Work', [bob])
    const save = (name: string) => () => cast.edit(id, { name, expected_updated_at: updated_at }, ann)
    expect(await statusesOf(save('Band'), save('Club'))).toEqual([200, 409])
    expect(await cast.circles(ann)).toMatchObject([{ name: 'Band' }])
  })

  it('with the same expected_updated_at in many rounds are one 200 and one 409', async () => {
    let circle = await cast.circle('Work', [bob])
    for (let round = 0; round < runsFor(30); round++) {
      const save = (name: string) => cast.edit(circle.id, { name, expected_updated_at: circle.updated_at }, ann)
      const replies = await Promise.all([save(`Band ${round}`), save(`Club ${round}`)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
      ;[circle] = (await cast.circles(ann)) as [typeof circle]
    }
  })

  it('that add the same person make one member', async () => {
    const { id } = await cast.circle('Work', [bob])
    const add = () => cast.edit(id, { member_ids: [bob.id, cat.id] }, ann)
    expect(await statusesOf(add, add)).toEqual([200, 200])
    expect(await cast.circles(ann)).toMatchObject([{ member_ids: [bob.id, cat.id] }])
  })

  it('with the deletion of the circle are refused after it, and deleted before it', async () => {
    const first = await cast.circle('Work', [bob])
    const rename = (id: typeof first.id) => () => cast.edit(id, { name: 'Band' }, ann)
    const erase = (id: typeof first.id) => () => cast.erase(id, ann) as Promise<{ status: number; body: unknown }>
    expect(await statusesOf(erase(first.id), rename(first.id))).toEqual([204, 404])
    const second = await cast.circle('Work', [bob])
    expect(await statusesOf(rename(second.id), erase(second.id))).toEqual([200, 204])
    expect(await cast.circles(ann)).toEqual([])
  })
})

describe('a ping for a circle', () => {
  it('that waits for an edit of the circle has the members after it, and one before the edit those before it', async () => {
    const { id } = await cast.circle('Work', [bob])
    const drop = () => cast.create(ann, { circle_ids: [id], recipient_ids: [] })
    const edit = () => cast.edit(id, { member_ids: [cat.id] }, ann)
    const [, after] = await race<{ status: number; body: unknown }>(cast.server.db, lockAnn, edit, drop)
    expect(invitees(after?.body as OwnPing)).toEqual(['cat'])
    await cast.edit(id, { member_ids: [bob.id] }, ann)
    const [before] = await race<{ status: number; body: unknown }>(cast.server.db, lockAnn, drop, edit)
    expect(invitees(before?.body as OwnPing)).toEqual(['bob'])
    expect(await cast.circles(ann)).toMatchObject([{ member_ids: [cat.id] }])
  })

  it('that waits for the deletion of the circle is refused', async () => {
    const { id } = await cast.circle('Work', [bob])
    const drop = () => cast.create(ann, { circle_ids: [id], recipient_ids: [] })
    const erase = () => cast.erase(id, ann) as Promise<{ status: number; body: unknown }>
    expect(await statusesOf(erase, drop)).toEqual([204, 404])
    expect((await cast.mine(ann)).body).toEqual([])
  })

  it('that waits for the end of a friendship does not invite the former friend', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    const end = async () => {
      await cast.unfriend(bob, ann)
      return { status: 204, body: null as unknown }
    }
    const drop = () => cast.create(ann, { circle_ids: [id], recipient_ids: [] })
    const [, ping] = await race<{ status: number; body: unknown }>(cast.server.db, lockAnn, end, drop)
    expect(ping).toMatchObject({ status: 201, body: { audience: { former_friend_count: 0 } } })
    expect(invitees(ping?.body as OwnPing)).toEqual(['cat'])
    await cast.server.befriend(ann, bob)
    expect((await cast.list(bob)).body).toEqual([])
  })

  it('that is sent twice at once with one client_id is one ping', async () => {
    const { id } = await cast.circle('Work', [bob])
    const client_id = crypto.randomUUID()
    const drop = () => cast.create(ann, { circle_ids: [id], recipient_ids: [], client_id })
    expect(await statusesOf(drop, drop)).toEqual([201, 200])
    expect((await cast.list(bob)).body).toHaveLength(1)
  })
})

it('a member who is added while the friendship ends is not in the circle afterwards', async () => {
  const { id } = await cast.circle('Work', [cat])
  const end = async () => {
    await cast.unfriend(bob, ann)
    return { status: 204, body: null as unknown }
  }
  const add = () => cast.edit(id, { member_ids: [bob.id, cat.id] }, ann)
  for (const [calls, statuses] of [
    [
      [end, add],
      [204, 422],
    ],
    [
      [add, end],
      [200, 204],
    ],
  ] as const) {
    const replies = await race<{ status: number; body: unknown }>(cast.server.db, lockAnn, ...calls)
    expect(replies.map(({ status }) => status)).toEqual(statuses)
    expect(await cast.circles(ann)).toMatchObject([{ member_ids: [cat.id] }])
    await cast.server.befriend(ann, bob)
  }
})
