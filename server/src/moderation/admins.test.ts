import * as bannerContract from '@hither/contract/banner.ts'
import * as invitationContract from '@hither/contract/invitations.ts'
import * as contract from '@hither/contract/moderation.ts'
import type { Operation } from '@hither/contract/operation.ts'
import * as reportContract from '@hither/contract/reports.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { clear, findReport, makeAdmin, report } from './harness.ts'

let server: TestServer
let startedAt: Date
let ann: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
  startedAt = server.clock.now()
})

beforeEach(async () => {
  await clear(server)
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  eve = await server.signUp('eve')
})

afterAll(() => server.close())

const unknown = { status: 404, body: { detail: 'Not found', code: 'route_not_found' } }
const invalidCode = {
  status: 403,
  body: { detail: 'This code is not valid. Restart the server to get a new one.', code: 'admin_code_invalid' },
}
const nobody = '01900000-0000-7000-8000-0000000000ff'
const hourMs = 3_600_000

async function newCode(): Promise<string> {
  const code = await server.app.makeAdminCode()
  if (code === null) throw new Error('There is an admin')
  return code
}

const claim = (who: Person, code: string) => server.call(contract.claimAdmin, { body: { code } }, who)
const appoint = (by: Person, who: Person) => server.call(contract.appointAdmin, { params: { id: who.id } }, by)
const dismiss = (by: Person, who: Person) => server.call(contract.dismissAdmin, { params: { id: who.id } }, by)
const roleOf = async (who: Person) => (await server.call(contract.getAdminRole, {}, who)).body
const isAdmin = async (who: Person) => (await roleOf(who)).is_admin

describe('the code for the first admin', () => {
  it('makes the user who enters it the first admin, in any spacing and case', async () => {
    const code = await newCode()
    expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){4}[A-HJ-NP-Z2-9]{4}$/)
    expect(await roleOf(ann)).toEqual({ is_admin: false, is_claimable: true })
    expect((await claim(ann, ` ${code.toLowerCase().replaceAll('-', ' ')}`)).status).toBe(204)
    expect(await roleOf(ann)).toEqual({ is_admin: true, is_claimable: false })
    expect(await roleOf(bob)).toEqual({ is_admin: false, is_claimable: false })
  })

  it('is stored as a digest only', async () => {
    const code = await newCode()
    const rows = await server.db`select encode(code_hash, 'escape') as hash from admin_codes`
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''))
  })

  it('is valid once, and never while there is an admin', async () => {
    const [first, second] = [await newCode(), await newCode()]
    expect((await claim(ann, first)).status).toBe(204)
    expect(await claim(bob, first)).toMatchObject(invalidCode)
    expect(await claim(bob, second)).toMatchObject(invalidCode)
    expect(await server.app.makeAdminCode()).toBeNull()
    expect(await server.db`select 1 from admin_codes`).toHaveLength(0)
  })

  it('is refused if it is wrong or expired, or without authentication', async () => {
    const code = await newCode()
    expect(await claim(eve, 'AAAA-AAAA-AAAA-AAAA-AAAA')).toMatchObject(invalidCode)
    expect((await server.call(contract.claimAdmin, { body: { code } })).status).toBe(401)
    server.clock.advance(24 * hourMs)
    const again = await server.signIn(eve)
    expect(await claim(again, code)).toMatchObject(invalidCode)
    await server.app.moderationJobs.runDue()
    expect(await server.db`select 1 from admin_codes`).toHaveLength(0)
  })

  it('is printed again after the last admin has deleted their account', async () => {
    await makeAdmin(server, ann)
    expect((await server.call(deleteAccount, { body: { password } }, ann)).status).toBe(204)
    expect((await claim(bob, await newCode())).status).toBe(204)
  })
})

it('guesses of the admin code are rate limited', async () => {
  const strict = await startServer({ RATE_LIMITS: 'on' })
  try {
    const mallory = await strict.signUp('mallory')
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess++) {
      const body = { code: `AAAA-AAAA-AAAA-AAAA-AAA${guess + 2}` }
      statuses.push((await strict.call(contract.claimAdmin, { body }, mallory)).status)
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
  } finally {
    await strict.close()
  }
})

describe('admins', () => {
  beforeEach(() => makeAdmin(server, ann))

  it('appoint and dismiss others with immediate effect', async () => {
    expect((await appoint(ann, bob)).status).toBe(204)
    expect((await appoint(ann, bob)).status).toBe(204)
    expect(await isAdmin(bob)).toBe(true)
    expect((await dismiss(bob, ann)).status).toBe(204)
    expect(await server.call(contract.getServiceStatus, {}, ann)).toMatchObject(unknown)
    expect(await dismiss(ann, bob)).toMatchObject(unknown)
  })

  it('cannot dismiss the last admin', async () => {
    expect(await dismiss(ann, ann)).toMatchObject({
      status: 409,
      body: { detail: 'Make someone else an admin first', code: 'last_admin' },
    })
    await appoint(ann, bob)
    expect((await dismiss(ann, ann)).status).toBe(204)
    expect((await dismiss(bob, bob)).status).toBe(409)
  })

  it('get 404 for actions on an unknown user', async () => {
    const params = { id: nobody as Person['id'] }
    for (const operation of [contract.appointAdmin, contract.dismissAdmin, contract.liftSuspension]) {
      expect(await server.call(operation, { params }, ann)).toMatchObject({
        status: 404,
        body: { detail: 'User not found', code: 'user_not_found' },
      })
    }
  })

  it('list users by name in pages, with only the fields they need', async () => {
    await report(server, eve, { subject_id: bob.id })
    await server.call(contract.suspendUser, { params: { id: eve.id }, body: { reason: 'Spam', days: 2 } }, ann)
    const list = async (body: object) => (await server.call(contract.listUsers, { body }, ann)).body
    const all = await list({})
    const created_at = server.clock.now().toISOString()
    const suspended_until = new Date(server.clock.now().getTime() + 48 * hourMs).toISOString()
    const suspension = { reason: 'Spam', suspended_at: created_at, suspended_until }
    expect(all).toEqual([
      {
        id: ann.id,
        username: 'ann',
        display_name: null,
        created_at,
        is_admin: true,
        suspension: null,
        open_reports: 0,
        picture_bytes: 0,
        invited_by: null,
      },
      {
        id: bob.id,
        username: 'bob',
        display_name: null,
        created_at,
        is_admin: false,
        suspension: null,
        open_reports: 1,
        picture_bytes: 0,
        invited_by: null,
      },
      {
        id: eve.id,
        username: 'eve',
        display_name: null,
        created_at,
        is_admin: false,
        suspension,
        open_reports: 0,
        picture_bytes: 0,
        invited_by: null,
      },
    ])
    const names = async (query: object) => (await list(query)).map(({ username }) => username)
    expect(await names({ limit: 2 })).toEqual(['ann', 'bob'])
    expect(await names({ limit: 2, after: 'BOB' })).toEqual(['eve'])
    expect(await names({ q: 'B' })).toEqual(['bob'])
    expect(await names({ q: 'Bob@Example.org' })).toEqual(['bob'])
    expect(await names({ q: 'bob@example' })).toEqual([])
    expect(await names({ q: "%' or 1=1 --" })).toEqual([])
    expect(await names({ only: 'admins' })).toEqual(['ann'])
    expect(await names({ only: 'suspended' })).toEqual(['eve'])
    expect(JSON.stringify(all)).not.toMatch(/@example|argon2|password|latitude/)
  })

  it('see the status of the service', async () => {
    const { body, status } = await server.call(contract.getServiceStatus, {}, ann)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
      started_at: startedAt.toISOString(),
      users: 3,
      live_pings: 0,
      open_reports: 0,
      pictures: 0,
      picture_bytes: 0,
      picture_bytes_per_user_max: 1_000_000_000,
      most_pictures: [],
      backups: { is_on: false, keep_days: 14, newest_at: null, is_encrypted: false, unencrypted_count: 0 },
      waiting: { mails: 0, pushes: 0, files_to_erase: 0 },
      registration: 'open',
    })
    expect(body.database_bytes).toBeGreaterThan(1_000_000)
  })

  it('leave a log entry for every action, and none for refused ones', async () => {
    await appoint(ann, bob)
    await dismiss(bob, bob)
    const { body: first } = await report(server, eve, { subject_id: bob.id })
    await server.call(reportContract.dismissReport, { params: { id: first.id } }, ann)
    await server.call(contract.suspendUser, { params: { id: bob.id }, body: { reason: 'Rude' } }, ann)
    await server.call(contract.liftSuspension, { params: { id: bob.id } }, ann)
    await server.call(contract.liftSuspension, { params: { id: bob.id } }, ann)
    await server.call(invitationContract.setRegistration, { body: { mode: 'closed' } }, ann)
    const { body: link } = await server.call(
      invitationContract.createInvitation,
      { body: { note: 'For the club' } },
      ann,
    )
    await server.call(invitationContract.revokeInvitation, { params: { id: link.id } }, ann)
    await dismiss(ann, ann)
    const { body } = await server.call(contract.listAdminActions, { query: {} }, ann)
    const lines = body.map(({ admin_username, action, username, note }) => [admin_username, action, username, note])
    expect(lines.reverse()).toEqual([
      ['ann', 'claim', 'ann', null],
      ['ann', 'appoint', 'bob', null],
      ['bob', 'dismiss_admin', 'bob', null],
      ['ann', 'dismiss_report', 'bob', null],
      ['ann', 'suspend', 'bob', 'For good: Rude'],
      ['ann', 'lift', 'bob', null],
      ['ann', 'set_registration', null, 'closed'],
      ['ann', 'create_invitation', null, 'For the club'],
      ['ann', 'revoke_invitation', null, 'For the club'],
    ])
    const page = await server.call(
      contract.listAdminActions,
      { query: { limit: 2, before: body[6]?.id as never } },
      ann,
    )
    expect(page.body).toHaveLength(2)
  })

  it('handle a report once when two do it concurrently', async () => {
    await appoint(ann, bob)
    const { body } = await report(server, eve, { subject_id: (await server.signUp('cat')).id })
    const handle = (who: Person) => server.call(reportContract.dismissReport, { params: { id: body.id } }, who)
    const statuses = (await Promise.all([handle(ann), handle(bob)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 409])
    expect(await findReport(server, ann, body.id, 'handled')).toMatchObject({ outcome: 'dismissed' })
  })
})

describe('users who are not admins', () => {
  const params = { id: nobody }
  const all: [Operation, object][] = [
    [contract.getServiceStatus, {}],
    [reportContract.listReports, { query: { state: 'open' } }],
    [reportContract.getReportPicture, { params }],
    [reportContract.dismissReport, { params }],
    [reportContract.deleteReported, { params }],
    [contract.listUsers, { body: {} }],
    [contract.listUsersInAddress, { query: {} }],
    [contract.suspendUser, { params, body: { reason: 'x' } }],
    [contract.liftSuspension, { params }],
    [contract.appointAdmin, { params }],
    [contract.dismissAdmin, { params }],
    [invitationContract.setRegistration, { body: { mode: 'closed' } }],
    [invitationContract.listInvitations, {}],
    [invitationContract.createInvitation, { body: {} }],
    [invitationContract.revokeInvitation, { params }],
    [contract.listAdminActions, { query: {} }],
    [bannerContract.setBanner, { body: { text: 'x', ends_at: '2026-01-01T00:00:00Z' } }],
    [bannerContract.removeBanner, {}],
  ]

  it('get the same answers as for unknown endpoints', async () => {
    const exported = [contract, reportContract, invitationContract, bannerContract].flatMap((module) =>
      Object.values<unknown>(module),
    )
    const operations = exported.filter((one) => (one as { tag?: string }).tag === 'admin') as Operation[]
    const open: Operation[] = [contract.getAdminRole, contract.claimAdmin]
    expect(all.map(([operation]) => operation).sort(byName)).toEqual(
      operations.filter((operation) => !open.includes(operation)).sort(byName),
    )
    await makeAdmin(server, ann)
    for (const [operation, input] of all) {
      const answer = await server.call(operation, input as never, eve)
      expect([splitAddress(operation.address).path, answer.status, answer.body]).toEqual([
        splitAddress(operation.address).path,
        404,
        unknown.body,
      ])
      expect((await server.call(operation, input as never)).status).toBe(401)
    }
    expect(await isAdmin(eve)).toBe(false)
  })

  it('get them for actions on themselves too', async () => {
    await makeAdmin(server, ann)
    for (const person of [eve, ann]) {
      expect(await appoint(eve, person)).toMatchObject(unknown)
      expect(await dismiss(eve, person)).toMatchObject(unknown)
    }
    const body = { username: 'eve', is_admin: true, role: 'admin' }
    await server.request('PATCH', `/api/users/${eve.id}`, { body, as: eve })
    expect(await isAdmin(eve)).toBe(false)
  })

  function byName(a: Operation, b: Operation) {
    return a.address < b.address ? -1 : 1
  }
})
