import { changePassword, endOtherSessions, endSession, logout } from '@hither/contract/auth/auth.ts'
import { suspendUser } from '@hither/contract/moderation.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, password } from '../../test/harness.ts'
import { makeAdmin } from '../moderation/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat } = cast)
})

afterAll(() => cast.server.close())

afterEach(() => cast.clear())

const sessionOf = (person: Person) =>
  JSON.parse(String(Buffer.from(person.session.access_token.split('.')[1] ?? '', 'base64url'))).sid

/** Signs a new friend of ann in on two devices: `writer`, which shares a trip to a ping of ann, and `other`. */
async function travel(name: string) {
  const writer = await cast.server.signUp(name)
  await cast.server.befriend(ann, writer)
  const other = await cast.server.signIn(writer)
  const ping = await cast.dropFor([writer, cat])
  await cast.go(ping.id, writer)
  return { id: ping.id, writer, other }
}

/** The changes of trips that the owner and another person who is going receive by an action. */
const watch = (action: () => Promise<unknown>) => cast.watch([ann, cat], action, ['ping_trips', 'users'])
const signOut = (person: Person) => cast.server.call(logout, { body: { access_token: person.session.access_token } })
const once = ['ping_trips DELETE unknown']

describe('the end of the session that last wrote a trip ends the trip once for each viewer', () => {
  it('by signing out', async () => {
    const { id, writer } = await travel('dan')
    expect(await watch(() => signOut(writer))).toEqual([once, once])
    expect(await cast.seenBy(id, ann)).toEqual([])
    expect(await cast.rows()).toEqual([])
  })

  it('by revoking the device', async () => {
    const { writer, other } = await travel('fay')
    const revoke = () => cast.server.call(endSession, { params: { id: sessionOf(writer) } }, other)
    expect(await watch(revoke)).toEqual([once, once])
  })

  it('by signing out all other devices', async () => {
    const { other } = await travel('gus')
    expect(await watch(() => cast.server.call(endOtherSessions, {}, other))).toEqual([once, once])
  })

  it('by a new password on another device', async () => {
    const { other } = await travel('hal')
    const body = { current_password: password, new_password: 'another battery staple' }
    expect(await watch(() => cast.server.call(changePassword, { body }, other))).toEqual([once, once])
  })

  it('by a suspension', async () => {
    const { writer } = await travel('ida')
    await makeAdmin(cast.server, bob)
    const suspend = () => cast.server.call(suspendUser, { params: { id: writer.id }, body: { reason: 'spam' } }, bob)
    expect(await watch(suspend)).toEqual([once, once])
  })
})

it('the deletion of the account ends the trip once for each viewer', async () => {
  const { writer } = await travel('jan')
  expect(await watch(() => cast.server.call(deleteAccount, { body: { password } }, writer))).toEqual([once, once])
  expect(await cast.rows()).toEqual([])
})

describe('the trip goes on', () => {
  it('if another session ends', async () => {
    const { id, other } = await travel('kim')
    expect(await watch(() => signOut(other))).toEqual([[], []])
    expect(await cast.seenBy(id, ann)).toEqual(['kim'])
  })

  it('if the session ends that wrote it before another one', async () => {
    const { id, writer, other } = await travel('leo')
    await cast.go(id, other, 20)
    expect(await watch(() => signOut(writer))).toEqual([[], []])
    expect(await cast.seenBy(id, ann)).toEqual(['leo'])
  })
})
