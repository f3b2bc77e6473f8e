import { changePassword, login, logout, resetPassword } from '@hither/contract/auth/auth.ts'
import { createPasskey, createPasskeyOptions, deletePasskey } from '@hither/contract/auth/passkeys.ts'
import { createRecoveryCodes, createResetLink, recover } from '@hither/contract/auth/recovery.ts'
import { listSecurityEvents } from '@hither/contract/auth/security-events.ts'
import { subscribeToPush } from '@hither/contract/notifications.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/authenticator.ts'
import { type Person, password } from '../../../test/harness.ts'
import { makeAdmin } from '../../moderation/harness.ts'
import { type Cast, minuteMs, startCast } from '../../notifications/harness.ts'

let cast: Cast
let phone: Person
let laptop: Person

const newPassword = 'a new and better one'

beforeEach(async () => {
  cast = await startCast()
  ;[phone, laptop] = [await cast.signInAgain(cast.ann), await cast.signInAgain(cast.ann)]
  await cast.subscribe(phone, 'phone')
  await cast.subscribe(laptop, 'laptop')
})

afterEach(() => cast.close())

async function addPasskey(who: Person) {
  const device = createAuthenticator('http://localhost:3000')
  const { body: options } = await cast.server.call(createPasskeyOptions, { body: {} }, who)
  return (await cast.server.call(createPasskey, { body: { response: device.create(options) } }, who)).body
}

async function kinds(who: Person) {
  return (await cast.server.call(listSecurityEvents, {}, who)).body.map(({ kind }) => kind)
}

it('a new and a removed passkey are pushed to the other device only, also in quiet hours', async () => {
  await cast.prefer(phone, { quiet_hours: { from: '00:00', to: '23:59', time_zone: 'UTC' } })
  const passkey = await addPasskey(phone)
  expect(await cast.notified()).toEqual(['laptop: Security alert | A passkey was added to your account.'])
  await cast.server.call(deletePasskey, { params: { id: passkey.id }, body: {} }, laptop)
  expect(await cast.notified()).toEqual(['phone: Security alert | A passkey was removed from your account.'])
  expect(await kinds(phone)).toEqual(['passkey_removed', 'passkey_added'])
})

it('hidden details leave out the text, and a tap opens Profile', async () => {
  await cast.prefer(phone, { hide_details: true })
  await addPasskey(phone)
  const [push] = await cast.arrivals()
  expect(push?.payload).toMatchObject({
    kind: 'security',
    title: 'Security alert',
    body: '',
    url: '/profile',
    actions: [],
  })
})

it('new recovery codes are pushed to the other device, and a used one to every device', async () => {
  const { body } = await cast.server.call(createRecoveryCodes, { body: {} }, phone)
  expect(await cast.notified()).toEqual(['laptop: Security alert | New recovery codes were created for your account.'])
  const { body: recovery } = await cast.server.call(recover, {
    body: { email: phone.email, code: body.codes[0] ?? '' },
  })
  expect(await cast.notified()).toEqual([
    'laptop: Security alert | A recovery code of your account was used.',
    'phone: Security alert | A recovery code of your account was used.',
  ])
  await cast.server.call(resetPassword, { body: { token: recovery.reset_token, password: newPassword } })
  expect(await cast.notified()).toEqual([
    'laptop: Security alert | The password of your account was reset.',
    'phone: Security alert | The password of your account was reset.',
  ])
  const { body: session } = await cast.server.call(login, { body: { email: phone.email, password: newPassword } })
  expect(await kinds({ ...phone, session })).toEqual(['password_reset', 'recovery_code_used', 'recovery_codes_created'])
})

describe('a changed password', () => {
  const alert = 'laptop: Security alert | The password of your account was changed.'

  async function changeOnPhone() {
    const body = { current_password: password, new_password: newPassword }
    expect((await cast.server.call(changePassword, { body }, phone)).status).toBe(204)
  }

  async function devices() {
    return (await cast.server.db`select 1 from push_subscriptions where user_id = ${cast.ann.id}`).length
  }

  it('is listed, and is the last push to the devices that it signs out', async () => {
    await cast.server.befriend(cast.ann, cast.bob)
    // Waits for the laptop and the phone.
    await cast.drop(cast.bob, [cast.ann])
    await changeOnPhone()
    // The pin for the phone, the alert for the laptop.
    expect(await cast.waiting()).toEqual([0, 0])
    // Waits for the phone alone: the laptop is signed out.
    await cast.drop(cast.bob, [cast.ann])
    expect(await devices()).toBe(2)
    expect(await cast.notified()).toEqual([
      alert,
      'phone: bob dropped a pin | Coffee',
      'phone: bob dropped a pin | Coffee',
    ])
    expect([await devices(), await cast.waiting()]).toEqual([1, []])
    expect(await kinds(phone)).toEqual(['password_changed'])
  })

  it('is pushed in quiet hours, and without its text with hidden details', async () => {
    const quiet_hours = { from: '00:00', to: '23:59', time_zone: 'UTC' }
    await cast.prefer(phone, { hide_details: true, quiet_hours })
    await changeOnPhone()
    const arrivals = await cast.arrivals()
    expect(arrivals.map(({ device, payload }) => [device, payload.title, payload.body, payload.url])).toEqual([
      ['laptop', 'Security alert', '', '/profile'],
    ])
  })

  it('is not pushed to a device on which somebody else has signed in meanwhile', async () => {
    const shared = await cast.subscribe(laptop, 'shared')
    await changeOnPhone()
    expect((await cast.server.call(subscribeToPush, { body: shared }, cast.eve)).status).toBe(204)
    expect(await cast.notified()).toEqual([])
    expect(await devices()).toBe(1)
  })

  it('that changes again is not pushed a second time to a device that the first change signs out', async () => {
    await changeOnPhone()
    cast.server.clock.advance(1)
    const body = { current_password: newPassword, new_password: password }
    expect((await cast.server.call(changePassword, { body }, phone)).status).toBe(204)
    expect(await cast.waiting()).toEqual([0])
    expect(await cast.notified()).toEqual([alert])
  })

  it('is pushed again while the push service fails, and keeps the device no longer than the push', async () => {
    cast.service.answer = { status: 503 }
    await changeOnPhone()
    expect(await cast.notified()).toEqual([])
    expect(await devices()).toBe(2)
    cast.service.answer = { status: 201 }
    cast.server.clock.advance(minuteMs)
    expect(await cast.notified()).toEqual([alert])
    expect(await devices()).toBe(1)
  })

  it('that is outdated before it can be pushed leaves no device behind', async () => {
    await changeOnPhone()
    cast.server.clock.advance(72 * 60 * minuteMs)
    expect(await cast.notified()).toEqual([])
    expect([await devices(), await cast.waiting()]).toEqual([1, []])
  })
})

it('nothing is pushed to a device that signed out with another security event waiting', async () => {
  await addPasskey(phone)
  await cast.server.call(logout, { body: { access_token: laptop.session.access_token } })
  expect(await cast.notified()).toEqual([])
})

it('a reset link of an admin is pushed to every device', async () => {
  const admin = await makeAdmin(cast.server, cast.eve)
  await cast.server.call(createResetLink, { params: { id: phone.id } }, admin)
  expect(await cast.notified()).toEqual([
    'laptop: Security alert | A password reset link was created for your account.',
    'phone: Security alert | A password reset link was created for your account.',
  ])
})
