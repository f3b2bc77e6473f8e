import { confirm, login, refresh, signup } from '@hither/contract/auth/auth.ts'
import { listFriends } from '@hither/contract/friends.ts'
import { createConversation, getConversation, sendMessage } from '@hither/contract/messages/messages.ts'
import { appointAdmin, liftSuspension, suspendUser } from '@hither/contract/moderation.ts'
import { createPing, getPing, listMyPings, listPings } from '@hither/contract/pings.ts'
import { deleteAccount, getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { openMailbox } from '../../test/mailbox.ts'
import { findReport, makeAdmin, place, report } from './harness.ts'

let server: TestServer
let admin: Person
let number = 0
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer()
  admin = await makeAdmin(server, await server.signUp('root'))
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
  bob = await server.signUp(`bob${number}`)
  await server.befriend(ann, bob)
})

afterAll(() => server.close())

const dayMs = 86_400_000
const suspended = {
  status: 403,
  body: { detail: 'This account is suspended. Please contact the admin of this server.', code: 'account_suspended' },
}

const suspend = (who: Person, more: object = {}, by = admin) =>
  server.call(suspendUser, { params: { id: who.id }, body: { reason: 'Threats', ...more } }, by)
const lift = (who: Person) => server.call(liftSuspension, { params: { id: who.id } }, admin)
const signIn = (who: Person, secret = password) => server.call(login, { body: { email: who.email, password: secret } })

describe('a suspended user', () => {
  it('is signed out on every device at once, and cannot sign in', async () => {
    const phone = await server.signIn(ann)
    expect((await suspend(ann)).status).toBe(204)
    for (const { session } of [ann, phone]) {
      expect((await server.call(getMe, {}, session.access_token)).status).toBe(401)
      const body = { refresh_token: session.refresh_token }
      expect((await server.call(refresh, { body })).status).toBe(401)
    }
    expect(await signIn(ann)).toMatchObject(suspended)
  })

  it('learns of the suspension only with the right password', async () => {
    await suspend(ann)
    expect(await signIn(ann, 'a wrong one')).toMatchObject({
      status: 401,
      body: { detail: 'Invalid email or password', code: 'invalid_credentials' },
    })
  })

  it('loses the live channel at once', async () => {
    const url = `${server.url.replace('http', 'ws')}/api/realtime/v1/websocket?apikey=test&vsn=1.0.0`
    const socket = new WebSocket(url)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    await new Promise((resolve) => socket.once('open', resolve))
    const topic = 'realtime:feeds'
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'users' }] }
    const payload = { config, access_token: ann.session.access_token }
    socket.send(JSON.stringify({ topic, event: 'phx_join', ref: '1', join_ref: '1', payload }))
    await new Promise((resolve) => socket.once('message', resolve))
    await suspend(ann)
    await closed
  })

  it('has no live pings any more, which disappear for friends; expired pings and messages stay', async () => {
    const drop = async (more: object) => (await server.call(createPing, { body: { ...place, ...more } }, ann)).body.id
    const over = await drop({ name: 'Over', duration_minutes: 15 })
    server.clock.advance(16 * 60_000)
    const live = await drop({ name: 'Live', is_public: true })
    const activates_at = new Date(server.clock.now().getTime() + dayMs).toISOString()
    const planned = await drop({ name: 'Planned', activates_at })
    const { body: chat } = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
    await server.call(sendMessage, { body: { conversation_id: chat.id, content: 'Hello' } }, ann)
    const listener = await server.listen(bob, ['location_pins', 'users'])
    await suspend(ann)
    const isGone = (id: string) => listener.until((change) => change.eventType === 'DELETE' && change.old['id'] === id)
    await Promise.all([isGone(live), isGone(planned)])
    expect((await server.call(listPings, { query: {} }, bob)).body).toEqual([])
    expect((await server.call(getPing, { params: { id: live } })).status).toBe(404)
    const { body } = await server.call(getConversation, { params: { id: chat.id }, query: {} }, bob)
    expect(body.message_details.messages.map(({ content }) => content)).toEqual(['Hello'])
    expect((await server.call(listFriends, {}, bob)).body.map(({ user_id }) => user_id)).toEqual([ann.id])
    expect((await lift(ann)).status).toBe(204)
    const again = await server.signIn(ann)
    expect((await server.call(listMyPings, { query: {} }, again)).body.map(({ id }) => id)).toEqual([over])
  })

  it('can sign in after the suspension is lifted, and after it expires', async () => {
    await suspend(ann)
    await lift(ann)
    expect((await signIn(ann)).status).toBe(200)
    expect((await lift(ann)).status).toBe(204)

    await suspend(ann, { days: 3 })
    server.clock.advance(3 * dayMs - 1)
    expect(await signIn(ann)).toMatchObject(suspended)
    await server.app.moderationJobs.runDue()
    expect(await signIn(ann)).toMatchObject(suspended)
    server.clock.advance(1)
    expect((await signIn(ann)).status).toBe(200)
    await server.app.moderationJobs.runDue()
    expect(await server.db`select 1 from suspensions where user_id = ${ann.id}`).toHaveLength(0)
    admin = await server.signIn(admin)
  })

  it('can get a suspension of another duration', async () => {
    await suspend(ann)
    await suspend(ann, { days: 1, reason: 'Less' })
    server.clock.advance(dayMs)
    expect((await signIn(ann)).status).toBe(200)
    admin = await server.signIn(admin)
  })

  it('cannot be an admin, and an admin cannot be suspended', async () => {
    await server.call(appointAdmin, { params: { id: ann.id } }, admin)
    for (const who of [ann, admin]) {
      expect(await suspend(who)).toMatchObject({
        status: 409,
        body: { detail: 'An admin cannot be suspended', code: 'admin_not_suspendable' },
      })
    }
    await suspend(bob)
    expect((await server.call(appointAdmin, { params: { id: bob.id } }, admin)).status).toBe(409)
  })
})

describe('suspending a user', () => {
  it('handles the report that it refers to, and no report about another user', async () => {
    const { body: first } = await report(server, bob, { subject_id: ann.id })
    const { body: other } = await report(server, ann, { subject_id: bob.id })
    expect((await suspend(ann, { report_id: other.id })).status).toBe(404)
    expect((await signIn(ann)).status).toBe(200)
    expect((await suspend(ann, { report_id: first.id })).status).toBe(204)
    expect(await findReport(server, admin, first.id, 'handled')).toMatchObject({
      outcome: 'suspended',
      is_suspended: true,
      handled_by_username: admin.username,
    })
  })

  it.each([
    { reason: '' },
    { reason: undefined },
    { reason: 'x'.repeat(501) },
    { days: 0 },
    { days: 366 },
    { days: 1.5 },
    { days: '7' },
    { report_id: 'x' },
  ])('is refused with %j', async (more) => {
    const body = { reason: 'Threats', ...more }
    const answer = await server.request('POST', `/api/admin/users/${ann.id}/suspend`, { body, as: admin })
    expect(answer.status).toBe(422)
    expect((await signIn(ann)).status).toBe(200)
  })

  it('does not prevent the deletion of the account', async () => {
    await suspend(ann)
    await server.db`delete from users where id = ${ann.id}`
    expect(await server.db`select 1 from suspensions where user_id = ${ann.id}`).toHaveLength(0)
    expect((await server.call(deleteAccount, { body: { password } }, ann)).status).toBe(401)
  })
})

it('a suspended user cannot sign in with the link of a mail', async () => {
  const mailbox = await openMailbox()
  const strict = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'on' })
  try {
    await strict.call(signup, { body: { email: 'cat@example.org', password, username: 'cat' } })
    await strict.app.deliveryJobs.runDue()
    const first = await strict.call(confirm, { body: { token: await mailbox.token(), password } })
    expect(first.status).toBe(200)
    const { user } = first.body
    await strict.db`update users set email_confirmed_at = null where id = ${user.id}`
    await strict.db`insert into suspensions values (${user.id}, 'Spam', ${strict.clock.now()}, null)`
    await strict.request('POST', '/api/auth/resend-confirmation', { body: { email: 'cat@example.org' } })
    await strict.app.deliveryJobs.runDue()
    expect(await strict.call(confirm, { body: { token: await mailbox.token(), password } })).toMatchObject(suspended)
  } finally {
    await strict.close()
    await mailbox.close()
  }
})
