import { login, signup } from '@hither/contract/auth/auth.ts'
import { createInvitation, setRegistration } from '@hither/contract/invitations.ts'
import { appointAdmin, claimAdmin, dismissAdmin, suspendUser } from '@hither/contract/moderation.ts'
import { createPing, deletePing, listMyPings } from '@hither/contract/pings.ts'
import { deleteReported, dismissReport } from '@hither/contract/reports.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import type { Tx } from '../platform/db/database.ts'
import { clear, makeAdmin, place, report } from './harness.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
})

beforeEach(async () => {
  await clear(server)
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  eve = await server.signUp('eve')
})

afterAll(() => server.close())

const lockAdmins = (tx: Tx) => tx`lock table admins in share row exclusive mode`
const lockUser = (person: Person) => (tx: Tx) => tx`select id from users where id = ${person.id} for update`

async function statusesOf(lock: (tx: Tx) => Promise<unknown>, ...calls: (() => Promise<{ status: number }>)[]) {
  return (await race(server.db, lock, ...calls)).map(({ status }) => status)
}

async function countAdmins() {
  return (await server.db`select 1 from admins`).length
}

describe('the code for the first admin', () => {
  it('makes one admin when two users enter it concurrently', async () => {
    const code = (await server.app.makeAdminCode()) ?? ''
    const claim = (who: Person) => () => server.call(claimAdmin, { body: { code } }, who)
    expect(await statusesOf(lockAdmins, claim(ann), claim(bob))).toEqual([204, 403])
    expect(await countAdmins()).toBe(1)
  })

  it('makes one admin when two users enter the codes of two nodes concurrently', async () => {
    const codes = [await server.app.makeAdminCode(), await server.app.makeAdminCode()]
    const claim =
      (who: Person, code = '') =>
      () =>
        server.call(claimAdmin, { body: { code } }, who)
    const calls = [claim(ann, codes[0] ?? ''), claim(bob, codes[1] ?? '')]
    expect(await statusesOf(lockAdmins, ...calls)).toEqual([204, 403])
    expect(await countAdmins()).toBe(1)
  })
})

describe('admins', () => {
  beforeEach(async () => {
    await makeAdmin(server, ann)
    await makeAdmin(server, bob, ann)
  })

  const dismiss = (by: Person, who: Person) => () => server.call(dismissAdmin, { params: { id: who.id } }, by)
  const lockRows = (tx: Tx) => tx`select user_id from admins for update`

  it('do not both resign when they do it concurrently', async () => {
    expect(await statusesOf(lockRows, dismiss(ann, ann), dismiss(bob, bob))).toEqual([204, 409])
    expect(await countAdmins()).toBe(1)
  })

  it('do not both leave when they dismiss each other concurrently', async () => {
    expect((await statusesOf(lockUser(ann), dismiss(ann, bob), dismiss(bob, ann))).sort()).toEqual([204, 404])
    expect(await countAdmins()).toBe(1)
  })

  it('finish no action after they are dismissed', async () => {
    const act = () => server.call(setRegistration, { body: { mode: 'closed' } }, bob)
    expect(await statusesOf(lockUser(bob), dismiss(ann, bob), act)).toEqual([204, 404])
    expect(await server.db`select mode from registration`).toEqual([{ mode: 'open' }])
  })

  it('handle a report once when two do it concurrently', async () => {
    const { body } = await report(server, ann, { subject_id: eve.id })
    const handle = (who: Person) => () => server.call(dismissReport, { params: { id: body.id } }, who)
    expect(await statusesOf(lockUser(eve), handle(ann), handle(bob))).toEqual([204, 409])
  })

  it('do not appoint a user who is being suspended', async () => {
    const suspend = () => server.call(suspendUser, { params: { id: eve.id }, body: { reason: 'x' } }, ann)
    const appoint = () => server.call(appointAdmin, { params: { id: eve.id } }, bob)
    expect(await statusesOf(lockUser(eve), suspend, appoint)).toEqual([204, 409])
    expect(await countAdmins()).toBe(2)
  })
})

describe('a suspension', () => {
  beforeEach(() => makeAdmin(server, ann))

  const suspend = () => server.call(suspendUser, { params: { id: eve.id }, body: { reason: 'x' } }, ann)
  const signIn = () => server.call(login, { body: { email: eve.email, password } })

  it('refuses a concurrent sign-in', async () => {
    expect(await statusesOf(lockUser(eve), suspend, signIn)).toEqual([204, 403])
    const open = await server.db`select 1 from sessions where user_id = ${eve.id} and ended_at is null`
    expect(open).toHaveLength(0)
  })

  it('ends a session that was opened just before', async () => {
    expect(await statusesOf(lockUser(eve), signIn, suspend)).toEqual([200, 204])
    const open = await server.db`select 1 from sessions where user_id = ${eve.id} and ended_at is null`
    expect(open).toHaveLength(0)
  })

  it('ends a ping that was created just before', async () => {
    await server.befriend(eve, bob)
    const drop = () => server.call(createPing, { body: place }, eve)
    expect(await statusesOf(lockUser(eve), drop, suspend)).toEqual([201, 204])
    await server.db`delete from suspensions`
    expect((await server.call(listMyPings, { query: {} }, await server.signIn(eve))).body).toEqual([])
  })

  it('of a user who deletes their account concurrently returns 404', async () => {
    const erase = () => server.call(deleteAccount, { body: { password } }, eve)
    expect(await statusesOf(lockUser(eve), erase, suspend)).toEqual([204, 404])
  })
})

it('a ping deleted by its owner and an admin concurrently is deleted, and the report is handled', async () => {
  await makeAdmin(server, ann)
  await server.befriend(eve, bob)
  const ping = (await server.call(createPing, { body: place }, eve)).body.id
  const { body } = await report(server, bob, { subject: 'ping', subject_id: ping })
  const own = () => server.call(deletePing, { params: { id: ping } }, eve)
  const handled = () => server.call(deleteReported, { params: { id: body.id } }, ann)
  expect(await statusesOf(lockUser(eve), own, handled)).toEqual([204, 204])
})

it('an account deleted while its report is handled is deleted with the report', async () => {
  await makeAdmin(server, ann)
  const { body } = await report(server, bob, { subject_id: eve.id })
  const erase = () => server.call(deleteAccount, { body: { password } }, eve)
  const handle = () => server.call(dismissReport, { params: { id: body.id } }, ann)
  expect(await statusesOf(lockUser(eve), handle, erase)).toEqual([204, 204])
  expect(await server.db`select 1 from reports`).toHaveLength(0)
})

it('an account that is deleted while it reports or is reported leaves no report', async () => {
  const erase = (who: Person) => () => server.call(deleteAccount, { body: { password } }, who)
  const send = () => report(server, bob, { subject_id: eve.id })
  expect(await statusesOf(lockUser(bob), erase(bob), send)).toEqual([204, 401])
  bob = await server.signUp('bob')
  // In either order: a report that came first is deleted with the account.
  const [erased, sent] = await statusesOf(lockUser(eve), erase(eve), send)
  expect([erased, [201, 404].includes(sent ?? 0)]).toEqual([204, true])
  expect(await server.db`select 1 from reports`).toHaveLength(0)
})

it('the last use of an invitation admits one of two concurrent sign-ups', async () => {
  await makeAdmin(server, ann)
  await server.call(setRegistration, { body: { mode: 'invite' } }, ann)
  const { body } = await server.call(createInvitation, { body: {} }, ann)
  const invitation = body.url.split('#').at(-1) ?? ''
  const enter = (username: string) => () =>
    server.call(signup, { body: { email: `${username}@example.org`, password, username, invitation } })
  const lockInvitation = (tx: Tx) => tx`select 1 from invitations for update`
  expect(await statusesOf(lockInvitation, enter('cat'), enter('dan'))).toEqual([201, 403])
  expect(await server.db`select uses_left from invitations`).toEqual([{ uses_left: 0 }])
})
