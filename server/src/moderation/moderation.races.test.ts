import { login, signup } from '@hither/contract/auth.ts'
import {
  appointAdmin,
  claimAdmin,
  createInvitation,
  deleteReported,
  dismissAdmin,
  dismissReport,
  setRegistration,
  suspendUser,
} from '@hither/contract/moderation.ts'
import { createPing, deletePing, listMyPings } from '@hither/contract/pings.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { type Db } from '../platform/database.ts'
import { makeAdmin, place, report } from './harness.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person

beforeEach(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  eve = await server.signUp('eve')
})

afterEach(() => server.close())

const holdAdmins = (db: Db) => db`lock table admins in share row exclusive mode`
const hold = (person: Person) => (db: Db) => db`select id from users where id = ${person.id} for update`

async function statusesOf(lock: (db: Db) => Promise<unknown>, ...calls: (() => Promise<{ status: number }>)[]) {
  return (await race(server.db, lock, ...calls)).map(({ status }) => status)
}

async function countAdmins() {
  return (await server.db`select 1 from admins`).length
}

describe('the code of the start', () => {
  it('entered by two at once makes one of them admin', async () => {
    const code = (await server.app.makeAdminCode()) ?? ''
    const claim = (who: Person) => () => server.call(claimAdmin, { body: { code } }, who)
    expect(await statusesOf(holdAdmins, claim(ann), claim(bob))).toEqual([204, 403])
    expect(await countAdmins()).toBe(1)
  })

  it('of two nodes, entered at once, makes one of them admin', async () => {
    const codes = [await server.app.makeAdminCode(), await server.app.makeAdminCode()]
    const claim =
      (who: Person, code = '') =>
      () =>
        server.call(claimAdmin, { body: { code } }, who)
    const calls = [claim(ann, codes[0] ?? ''), claim(bob, codes[1] ?? '')]
    expect(await statusesOf(holdAdmins, ...calls)).toEqual([204, 403])
    expect(await countAdmins()).toBe(1)
  })
})

describe('admins', () => {
  beforeEach(async () => {
    await makeAdmin(server, ann)
    await makeAdmin(server, bob, ann)
  })

  const dismiss = (by: Person, who: Person) => () => server.call(dismissAdmin, { params: { id: who.id } }, by)
  const holdRows = (db: Db) => db`select user_id from admins for update`

  it('who go at once do not both go', async () => {
    expect(await statusesOf(holdRows, dismiss(ann, ann), dismiss(bob, bob))).toEqual([204, 409])
    expect(await countAdmins()).toBe(1)
  })

  it('who dismiss one another at once do not both go', async () => {
    expect((await statusesOf(hold(ann), dismiss(ann, bob), dismiss(bob, ann))).sort()).toEqual([204, 404])
    expect(await countAdmins()).toBe(1)
  })

  it('who are dismissed do nothing more that was under way', async () => {
    const act = () => server.call(setRegistration, { body: { mode: 'closed' } }, bob)
    expect(await statusesOf(hold(bob), dismiss(ann, bob), act)).toEqual([204, 404])
    expect(await server.db`select mode from registration`).toEqual([{ mode: 'open' }])
  })

  it('of one report, one handles it', async () => {
    const { body } = await report(server, ann, { subject_id: eve.id })
    const handle = (who: Person) => () => server.call(dismissReport, { params: { id: body.id } }, who)
    expect(await statusesOf(hold(eve), handle(ann), handle(bob))).toEqual([204, 409])
  })

  it('appoint nobody who is being suspended', async () => {
    const suspend = () => server.call(suspendUser, { params: { id: eve.id }, body: { reason: 'x' } }, ann)
    const appoint = () => server.call(appointAdmin, { params: { id: eve.id } }, bob)
    expect(await statusesOf(hold(eve), suspend, appoint)).toEqual([204, 409])
    expect(await countAdmins()).toBe(2)
  })
})

describe('a suspension', () => {
  beforeEach(() => makeAdmin(server, ann))

  const suspend = () => server.call(suspendUser, { params: { id: eve.id }, body: { reason: 'x' } }, ann)
  const signIn = () => server.call(login, { body: { email: eve.email, password } })

  it('shuts out who signs in as it comes', async () => {
    expect(await statusesOf(hold(eve), suspend, signIn)).toEqual([204, 403])
    const open = await server.db`select 1 from sessions where user_id = ${eve.id} and ended_at is null`
    expect(open).toHaveLength(0)
  })

  it('ends what signed in just before', async () => {
    expect(await statusesOf(hold(eve), signIn, suspend)).toEqual([200, 204])
    const open = await server.db`select 1 from sessions where user_id = ${eve.id} and ended_at is null`
    expect(open).toHaveLength(0)
  })

  it('ends a ping that was dropped just before', async () => {
    await server.befriend(eve, bob)
    const drop = () => server.call(createPing, { body: place }, eve)
    expect(await statusesOf(hold(eve), drop, suspend)).toEqual([201, 204])
    await server.db`delete from suspensions`
    expect((await server.call(listMyPings, { query: {} }, await server.signIn(eve))).body).toEqual([])
  })

  it('of someone who erases their account finds nobody', async () => {
    const erase = () => server.call(deleteAccount, { body: { password } }, eve)
    expect(await statusesOf(hold(eve), erase, suspend)).toEqual([204, 404])
  })
})

it('a ping that its owner and an admin delete at once goes, and the report is handled', async () => {
  await makeAdmin(server, ann)
  await server.befriend(eve, bob)
  const ping = (await server.call(createPing, { body: place }, eve)).body.id
  const { body } = await report(server, bob, { subject: 'ping', subject_id: ping })
  const own = () => server.call(deletePing, { params: { id: ping } }, eve)
  const handled = () => server.call(deleteReported, { params: { id: body.id } }, ann)
  expect(await statusesOf(hold(eve), own, handled)).toEqual([204, 204])
})

it('an account that goes as its report is handled goes with it', async () => {
  await makeAdmin(server, ann)
  const { body } = await report(server, bob, { subject_id: eve.id })
  const erase = () => server.call(deleteAccount, { body: { password } }, eve)
  const handle = () => server.call(dismissReport, { params: { id: body.id } }, ann)
  expect(await statusesOf(hold(eve), handle, erase)).toEqual([204, 204])
  expect(await server.db`select 1 from reports`).toHaveLength(0)
})

it('whoever erases their account, or is reported as it goes, leaves no report', async () => {
  const erase = (who: Person) => () => server.call(deleteAccount, { body: { password } }, who)
  const send = () => report(server, bob, { subject_id: eve.id })
  expect(await statusesOf(hold(bob), erase(bob), send)).toEqual([204, 401])
  bob = await server.signUp('bob')
  // Either comes first; a report that did goes with the account.
  const [erased, sent] = await statusesOf(hold(eve), erase(eve), send)
  expect([erased, [201, 404].includes(sent ?? 0)]).toEqual([204, true])
  expect(await server.db`select 1 from reports`).toHaveLength(0)
})

it('the last use of an invitation lets one of two in who come at once', async () => {
  await makeAdmin(server, ann)
  await server.call(setRegistration, { body: { mode: 'invite' } }, ann)
  const { body } = await server.call(createInvitation, { body: {} }, ann)
  const invitation = body.url.split('/').at(-1) ?? ''
  const enter = (username: string) => () =>
    server.call(signup, { body: { email: `${username}@example.org`, password, username, invitation } })
  const holdInvitation = (db: Db) => db`select 1 from invitations for update`
  expect(await statusesOf(holdInvitation, enter('cat'), enter('dan'))).toEqual([201, 403])
  expect(await server.db`select uses_left from invitations`).toEqual([{ uses_left: 0 }])
})
