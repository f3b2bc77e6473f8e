import { signup } from '@hither/contract/auth/auth.ts'
import { listFriendLinks, revokeFriendLink } from '@hither/contract/friend-links.ts'
import { blockUser, listFriends } from '@hither/contract/friends.ts'
import { setRegistration } from '@hither/contract/invitations.ts'
import { beforeAll, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { makeAdmin } from '../moderation/harness.ts'
import type { Tx } from '../platform/db/database.ts'
import { accept, invalid, makeLink } from './harness.ts'

let server: TestServer
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  server = await startServer()
  ann = await makeAdmin(server, await server.signUp('ann'))
  bob = await server.signUp('bob')
  cat = await server.signUp('cat')
  return () => server.close()
})

const lockAnn = (tx: Tx) => tx`select id from users where id = ${ann.id} for update`
const friendsOfAnn = async () => (await server.call(listFriends, {}, ann)).body.map(({ user_id }) => user_id)

async function forget() {
  await server.db`truncate friend_requests, friendships, blocks cascade`
}

function signUp(username: string, friend_code: string) {
  return server.call(signup, { body: { email: `${username}@example.org`, password, username, friend_code } })
}

it('of two people who use the last use at the same moment, one is connected, in 50 rounds', async () => {
  for (let round = 0; round < 50; round++) {
    await forget()
    const { code, id } = await makeLink(server, ann)
    const answers = await Promise.all([accept(server, code, bob), accept(server, code, cat)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await friendsOfAnn()).toEqual([answers[0]?.status === 200 ? bob.id : cat.id])
    await server.call(revokeFriendLink, { params: { id } }, ann)
  }
})

it('one person on two devices uses a link once', async () => {
  await forget()
  const { code, id } = await makeLink(server, ann, { kind: 'qr' })
  const answers = await Promise.all([accept(server, code, bob), accept(server, code, bob)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { body } = await server.call(listFriendLinks, {}, ann)
  expect(body.find((link) => link.id === id)).toMatchObject({ uses_left: 19, used_by: [{ user_id: bob.id }] })
})

it.each(['revocation', 'block'] as const)('a %s that commits first makes a concurrent use fail', async (what) => {
  await forget()
  const { code, id } = await makeLink(server, ann)
  const end = () =>
    what === 'block'
      ? server.call(blockUser, { params: { username: bob.username } }, ann)
      : server.call(revokeFriendLink, { params: { id } }, ann)
  const lock = what === 'block' ? lockAnn : (tx: Tx) => tx`select id from friend_links where id = ${id} for update`
  const [ended, used] = await race<{ status: number; body: unknown }>(server.db, lock, end, () =>
    accept(server, code, bob),
  )
  expect(ended?.status).toBe(204)
  expect(used).toMatchObject(invalid)
  expect(await friendsOfAnn()).toEqual([])
})

it('of two sign-ups with the last use, both get an account and one a friendship', async () => {
  await forget()
  const { code } = await makeLink(server, ann)
  const answers = await Promise.all([signUp('dan', code), signUp('eve', code)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const results = answers.map(({ body }) => ('friend_link' in body ? body.friend_link?.status : undefined))
  expect(results.sort()).toEqual(['accepted', 'invalid'])
  expect(await friendsOfAnn()).toHaveLength(1)
})

it('of two sign-ups with the last use or the last invitation of a member, one is refused in the mode invite', async () => {
  await server.call(setRegistration, { body: { mode: 'invite', member_invites: 3 } }, ann)
  const single = (await makeLink(server, bob)).code
  const both = await Promise.all([signUp('fay', single), signUp('gus', single)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 403])
  // The member can still invite two people. Each sign-up uses another link.
  const codes = await Promise.all([1, 2, 3].map(async () => (await makeLink(server, bob)).code))
  const rest = await Promise.all(codes.map((code, index) => signUp(`hal${index}`, code)))
  expect(rest.map(({ status }) => status).sort()).toEqual([201, 201, 403])
  await server.call(setRegistration, { body: { mode: 'open' } }, ann)
})
