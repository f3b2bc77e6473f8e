import { confirm, signup } from '@hither/contract/auth/auth.ts'
import {
  listFriendLinks,
  lookUpFriendLink,
  type NewFriendLink,
  revokeFriendLink,
} from '@hither/contract/friend-links.ts'
import { listFriends, listReceivedRequests } from '@hither/contract/friends.ts'
import { createInvitation, type RegistrationMode, setRegistration } from '@hither/contract/invitations.ts'
import { getServiceStatus, listUsers } from '@hither/contract/moderation.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { openMailbox } from '../../test/mailbox.ts'
import { makeAdmin } from '../moderation/harness.ts'
import { makeLink } from './harness.ts'

const dayMs = 86_400_000

let server: TestServer
let admin: Person
let ann: Person
let number = 0

beforeAll(async () => {
  server = await startServer()
  admin = await makeAdmin(server, await server.signUp('root'))
  return () => server.close()
})

beforeEach(async () => {
  ann = await server.signUp(`ann${++number}`)
})

afterEach(() => setMode('open', 0))

async function setMode(mode: RegistrationMode, member_invites?: 0 | 3 | 10 | 50) {
  admin = await server.signIn(admin)
  const body = { mode, ...(member_invites !== undefined && { member_invites }) }
  expect((await server.call(setRegistration, { body }, admin)).status).toBe(204)
}

let names = 0

async function signUp(codes: { friend_code?: string; invitation?: string }, on = server) {
  const username = `new${++names}`
  const email = `${username}@example.org`
  const { status, body } = await on.call(signup, { body: { email, password, username, ...codes } })
  const session = 'access_token' in body ? body : undefined
  const person = session && { id: session.user.id, username, email, session }
  return { status, body: body as unknown, person, friend_link: session?.friend_link }
}

const codeOf = async (link: Partial<NewFriendLink> = {}) => (await makeLink(server, ann, link)).code
const friends = async (of: Person) => (await server.call(listFriends, {}, of)).body.map(({ user_id }) => user_id)
const refusals = {
  invalid: { detail: 'This invitation link is no longer valid. Please ask for a new one.', code: 'invitation_invalid' },
  notAdmitted: {
    detail: "This link can't be used to create an account right now. Ask for an invitation.",
    code: 'signup_not_admitted',
  },
  closed: { detail: "This server isn't accepting new accounts right now.", code: 'registration_closed' },
}

describe('in the mode open', () => {
  it('a sign-up with a link connects the new account, or asks the creator', async () => {
    const { friend_link, person } = await signUp({ friend_code: await codeOf() })
    expect(friend_link).toEqual({ status: 'accepted', username: ann.username })
    expect(await friends(ann)).toEqual([person?.id])
    const asking = await signUp({ friend_code: await codeOf({ uses: 5 }) })
    expect(asking.friend_link).toEqual({ status: 'pending', username: ann.username })
    expect((await server.call(listReceivedRequests, {}, ann)).body).toMatchObject([{ requester_id: asking.person?.id }])
  })

  it('a sign-up with an expired link creates an account without a friend', async () => {
    const friend_code = await codeOf({ days: 1 })
    server.clock.advance(dayMs)
    const { status, friend_link } = await signUp({ friend_code })
    expect([status, friend_link]).toEqual([201, { status: 'invalid', username: null }])
  })

  it('a sign-up without a code does not mention a link', async () => {
    const { status, body } = await signUp({})
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('friend_link')
  })
})

describe('in the mode invite', () => {
  it('each member may invite a number of accounts in 30 days, also if accounts are deleted and links revoked', async () => {
    await setMode('invite', 3)
    const people: (Person | undefined)[] = []
    for (let count = 0; count < 3; count++) {
      const { status, person, friend_link } = await signUp({ friend_code: await codeOf() })
      expect([status, friend_link?.status]).toEqual([201, 'accepted'])
      people.push(person)
    }
    const friend_code = await codeOf({ uses: 20, days: 30 })
    expect(await signUp({ friend_code })).toMatchObject({ status: 403, body: refusals.notAdmitted })
    expect((await server.call(lookUpFriendLink, { body: { code: friend_code } })).body.admits_signup).toBe(false)
    await server.call(deleteAccount, { body: { password } }, people[0])
    const used = (await server.call(listFriendLinks, {}, ann)).body.filter(({ uses_left }) => uses_left === 0)
    for (const { id } of used) await server.call(revokeFriendLink, { params: { id } }, ann)
    expect(await signUp({ friend_code })).toMatchObject({ status: 403, body: refusals.notAdmitted })
    const { body: users } = await server.call(listUsers, { body: { q: people[1]?.username ?? '' } }, admin)
    expect(users).toMatchObject([{ invited_by: ann.username }])
    server.clock.advance(31 * dayMs)
    ann = await server.signIn(ann)
    const later = await codeOf({ uses: 20 })
    expect(await signUp({ friend_code: later })).toMatchObject({ status: 201, friend_link: { status: 'pending' } })
  })

  it('members invite nobody by default, and an unusable link is an invalid invitation', async () => {
    await setMode('invite')
    expect((await server.call(getServiceStatus, {}, admin)).body.member_invites).toBe(0)
    const friend_code = await codeOf()
    expect(await signUp({ friend_code })).toMatchObject({ status: 403, body: refusals.notAdmitted })
    expect(await signUp({ friend_code: 'unknown' })).toMatchObject({ status: 403, body: refusals.invalid })
    await setMode('invite', 10)
    await setMode('invite')
    expect((await server.call(getServiceStatus, {}, admin)).body.member_invites).toBe(10)
    expect((await server.call(lookUpFriendLink, { body: { code: friend_code } })).body.admits_signup).toBe(true)
  })

  it('an invitation decides about the admission, and the link still connects', async () => {
    await setMode('invite', 0)
    const invite = async () =>
      (await server.call(createInvitation, { body: {} }, admin)).body.url.split('#').at(-1) ?? ''
    const { status, friend_link } = await signUp({ friend_code: await codeOf(), invitation: await invite() })
    expect([status, friend_link?.status]).toEqual([201, 'accepted'])
    const other = await signUp({ friend_code: 'unknown', invitation: await invite() })
    expect([other.status, other.friend_link?.status]).toEqual([201, 'invalid'])
  })
})

it('in the mode closed no link creates an account', async () => {
  const friend_code = await codeOf()
  await setMode('closed')
  expect((await server.call(lookUpFriendLink, { body: { code: friend_code } })).body.admits_signup).toBe(false)
  for (const code of [friend_code, 'unknown'])
    expect(await signUp({ friend_code: code })).toMatchObject({ status: 403, body: refusals.closed })
})

describe('with confirmation of addresses', () => {
  it('a link connects when the account is created, also after it expired, and not after it was revoked', async () => {
    const mailbox = await openMailbox()
    const strict = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'on' })
    try {
      const finish = async () => {
        await strict.app.deliveryJobs.runDue()
        return strict.call(confirm, { body: { token: await mailbox.token(), password } })
      }
      await signUp({}, strict)
      const { body: session } = await finish()
      expect(session).not.toHaveProperty('friend_link')
      const creator = { id: session.user.id, username: session.user.username, email: session.user.email, session }
      const made = () => makeLink(strict, creator, { days: 1 })
      const friendIds = async () => (await strict.call(listFriends, {}, creator)).body.map(({ user_id }) => user_id)

      expect(await signUp({ friend_code: (await made()).code }, strict)).toMatchObject({
        status: 201,
        person: undefined,
      })
      expect(await friendIds()).toEqual([])
      const { body: confirmed } = await finish()
      expect(confirmed.friend_link).toEqual({ status: 'accepted', username: creator.username })
      expect(await friendIds()).toEqual([confirmed.user.id])

      const revoked = await made()
      await signUp({ friend_code: revoked.code }, strict)
      await strict.call(revokeFriendLink, { params: { id: revoked.id } }, creator)
      expect((await finish()).body.friend_link).toEqual({ status: 'invalid', username: null })

      const expiring = await made()
      strict.clock.advance(dayMs - 60_000)
      await signUp({ friend_code: expiring.code }, strict)
      strict.clock.advance(120_000)
      expect((await finish()).body.friend_link?.status).toBe('accepted')
    } finally {
      await strict.close()
      await mailbox.close()
    }
  })
})
