import { getConfig } from '@hither/contract/config.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { getNotificationPreferences, listMutes, sendTestNotification } from '@hither/contract/notifications.ts'
import { getPing, type Ping } from '@hither/contract/pings.ts'
import { type Page } from '@playwright/test'
import { openPushService, type PushService } from '../../server/test/push-service.ts'
import { makeDirect, messagesOf, say } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { befriend, call, dropPing, type Person, signUp } from '../people.ts'
import {
  chatTag,
  contextOf,
  countsOf,
  deliver,
  pingTag,
  receivedBy,
  shownOn,
  standInForPushService,
  subscriptionKeyOf,
  tap,
  untilHandled,
  untilPageAnswers,
  untilServed,
  watchPushes,
  workerOf,
} from '../push-device.ts'
import { type OwnServer, startOwnServer } from '../servers.ts'

// One server of their own for all, which knows the push service of the test.
test.describe.configure({ mode: 'default' })

let server: OwnServer
let service: PushService

test.beforeAll(async () => {
  service = await openPushService()
  server = await startOwnServer({ PUSH_HOSTS: service.origin })
})

test.afterAll(async () => {
  await server.stop()
  await service.close()
})

type BrowserOf = (person: null, options: ReturnType<typeof contextOf>) => Promise<Page>

async function twoFriends(): Promise<[Person, Person]> {
  const [ann, bob] = [await signUp(server.base, 'ann'), await signUp(server.base, 'bob')]
  await befriend(server.base, ann, bob)
  return [ann, bob]
}

async function phoneOf(browserOf: BrowserOf, person: Person, permissions = ['notifications']): Promise<Page> {
  const page = await browserOf(null, contextOf(server.base, person, permissions))
  await standInForPushService(page, service, person.username)
  return page
}

/** With notifications turned on by hand. */
async function notifiedPhoneOf(browserOf: BrowserOf, person: Person): Promise<Page> {
  const page = await phoneOf(browserOf, person)
  await page.goto('/profile')
  await untilServed(page)
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on')).toBeVisible()
  return page
}

test('notifications are turned on by a tap that says what for, tried out, renewed at each start, and turned off', async ({
  browserOf,
}) => {
  const ann = await signUp(server.base, 'ann')
  const page = await phoneOf(browserOf, ann)
  await page.goto('/profile')
  await untilServed(page)
  await expect(page.getByText('Know at once when friends drop a pin')).toBeVisible()
  expect(await countsOf(page)).toEqual({ subscribed: 0, asked: 0 })

  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('You are told also while Hither is closed.')).toBeVisible()
  const { push_key } = await call(server.base, getConfig, {})
  expect(await subscriptionKeyOf(page)).toBe(push_key)

  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText('It arrives in a moment')).toBeVisible()
  await deliver(page, (await receivedBy(service, ann.username, 'test')).text)
  await expect.poll(() => shownOn(page)).toMatchObject([{ title: 'Test notification', path: '/profile', actions: [] }])
  await expectAccessible(page)

  // The server's key is another one now, or the browser has lost its subscription: either way it is made anew.
  for (const before of [push_key?.replace(/^B./, 'BA') ?? '', null]) {
    const renewed = page.waitForResponse((response) => response.url().endsWith('/api/notifications/subscription'))
    await page.evaluate((key) => {
      if (key === null) localStorage.removeItem('test_subscription')
      else localStorage.setItem('test_subscription', key)
    }, before)
    await page.reload()
    expect((await renewed).status()).toBe(204)
    expect(await subscriptionKeyOf(page)).toBe(push_key)
    expect(await countsOf(page)).toEqual({ subscribed: 1, asked: 0 })
  }

  await page.getByRole('button', { name: 'Turn off notifications' }).click()
  await expect(page.getByText('Notifications are off')).toBeVisible()
  expect(await subscriptionKeyOf(page)).toBeNull()
  await expect(call(server.base, sendTestNotification, {}, ann)).rejects.toThrow('404')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Turn on notifications' })).toBeVisible()
})

test('a new ping is shown, leads to its place in the open window, and is answered from the notification', async ({
  browserOf,
}) => {
  const [ann, bob] = await twoFriends()
  const page = await notifiedPhoneOf(browserOf, ann)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const ping = await dropPing(server.base, bob, { name: 'Soup at noon' })
  const { text } = await receivedBy(service, ann.username, 'new_ping')
  expect(text).not.toMatch(/40\.75|73\.98/)
  await deliver(page, text)
  const path = `/pins/${ping.id}`
  await expect
    .poll(() => shownOn(page))
    .toEqual([
      {
        title: `${bob.username} dropped a pin`,
        body: 'Soup at noon',
        tag: pingTag(ping.id),
        actions: ['accepted', 'declined'],
        path,
      },
    ])
  await tap(await workerOf(page), pingTag(ping.id))
  await expect(page).toHaveURL(path)
  await expect(page.getByText('Soup at noon').first()).toBeVisible()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  expect(await shownOn(page)).toEqual([])

  await deliver(page, text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), pingTag(ping.id), 'accepted')
  await expect(page.getByText('Your answer is sent')).toBeVisible()
  await expect.poll(() => answersTo(ping, bob)).toEqual([[ann.username, 'accepted']])
  expect(page.url()).toContain(path)
  await expect(page.getByRole('button', { name: 'Going', pressed: true })).toBeVisible()

  // Answered here, it asks no more.
  const another = await dropPing(server.base, bob, { name: 'Tea at five', latitude: 40.77 })
  await expect.poll(() => service.received.some(({ payload }) => payload.ping_id === another.id)).toBe(true)
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await page.goto(`/pins/${another.id}`)
  await page.getByRole('button', { name: 'Maybe' }).click()
  await expect.poll(() => shownOn(page)).toEqual([])
})

test('an answer given with no window open is given by the next one, and by no link', async ({ browserOf }) => {
  const [ann, bob] = await twoFriends()
  const page = await notifiedPhoneOf(browserOf, ann)
  const ping = await dropPing(server.base, bob, { name: 'Chess' })
  await page.goto(`/pins/${ping.id}?answer=accepted`)
  await expect(page.getByRole('button', { name: 'Going' })).toBeVisible()
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  expect(await answersTo(ping, bob)).toEqual([])

  const worker = await workerOf(page)
  const context = page.context()
  await page.close()
  await tap(worker, pingTag(ping.id), 'declined')
  expect(await answersTo(ping, bob)).toEqual([])
  const next = await context.newPage()
  await next.goto(`${server.base}/pins/${ping.id}`)
  await expect(next.getByText('Your answer is sent')).toBeVisible()
  await expect.poll(() => answersTo(ping, bob)).toEqual([[ann.username, 'declined']])
  await next.reload()
  await expect(next.getByRole('button', { name: "Can't", pressed: true })).toBeVisible()
  await expect(next.getByText('Your answer is sent')).toBeHidden()
})

test('an answer that the server refuses is not lost without a word', async ({ browserOf, expectConsole }) => {
  expectConsole(/status of 4\d\d/)
  const [ann, bob] = await twoFriends()
  const page = await notifiedPhoneOf(browserOf, ann)
  const id = crypto.randomUUID()
  await deliver(
    page,
    JSON.stringify({ ...pushOf('new_ping', bob), ping_id: id, tag: `ping:${id}`, actions: goingOnly }),
  )
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), `ping:${id}`, 'accepted')
  await expect(page.getByRole('alert').filter({ hasText: /not found/i })).toBeVisible()
})

test('a message is shown until it is read, and the icon of the app counts it', async ({ browserOf }) => {
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await phoneOf(browserOf, ann)
  await page.addInitScript(() => {
    const badges: number[] = []
    Object.assign(window, { badges })
    Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) })
  })
  await page.goto('/profile')
  await untilServed(page)
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on')).toBeVisible()

  await say(server.base, chat.id, 'Are you there?', bob)
  await deliver(page, (await receivedBy(service, ann.username, 'message')).text)
  const shown = { title: bob.username, body: 'Are you there?', tag: chatTag(chat.id), path: `/chat/${chat.id}` }
  await expect.poll(() => shownOn(page)).toMatchObject([shown])
  await expect(page.getByRole('link', { name: /^Chat/ })).toHaveAccessibleName(/1/)
  await page.getByRole('link', { name: /^Chat/ }).click()
  await page.getByRole('link', { name: new RegExp(bob.username) }).click()
  await expect(messagesOf(page).getByText('Are you there?')).toBeVisible()
  await expect.poll(() => shownOn(page)).toEqual([])
  const badges = () => page.evaluate(() => (window as unknown as { badges: number[] }).badges)
  await expect.poll(async () => (await badges()).at(-1)).toBe(0)
  expect(await badges()).toContain(1)
})

test('nobody is told of a message in the very conversation before their eyes', async ({ browserOf }) => {
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await notifiedPhoneOf(browserOf, ann)
  const message = JSON.stringify({ ...pushOf('message', bob), url: `/chat/${chat.id}`, tag: chatTag(chat.id) })
  await page.goto(`/chat/${chat.id}`)
  await page.bringToFront()
  await expect(page.getByRole('textbox', { name: 'Type a message...' })).toBeVisible()
  await untilPageAnswers(await workerOf(page), `/chat/${chat.id}`)
  await watchPushes(await workerOf(page))
  await deliver(page, message)
  await untilHandled(await workerOf(page), 1)
  expect(await shownOn(page)).toEqual([])

  await page.getByRole('button', { name: 'Back to messages' }).click()
  await expect(page).toHaveURL('/chat')
  await deliver(page, message)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
})

test('what is half written is not lost to a tap on a notification', async ({ browserOf }) => {
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await notifiedPhoneOf(browserOf, ann)
  const message = JSON.stringify({ ...pushOf('message', bob), url: `/chat/${chat.id}`, tag: chatTag(chat.id) })
  await page.goto('/friends')
  await page
    .getByRole('button', { name: /Add friend/i })
    .first()
    .click()
  const field = page.getByRole('dialog').getByRole('textbox').first()
  await field.fill('half a na')

  for (const choice of ['Cancel', 'Leave']) {
    await deliver(page, message)
    await expect.poll(() => shownOn(page)).toHaveLength(1)
    await tap(await workerOf(page), chatTag(chat.id))
    const question = page.getByRole('alertdialog', { name: 'Leave what you are writing?' })
    await expect(question).toBeVisible()
    await expect(page).toHaveURL('/friends')
    await question.getByRole('button', { name: choice }).click()
    await expect(question).toBeHidden()
    if (choice === 'Cancel') await expect(field).toHaveValue('half a na')
  }
  await expect(page).toHaveURL(`/chat/${chat.id}`)

  // A draft is kept by the chat itself.
  await page.getByRole('textbox', { name: 'Type a message...' }).fill('half a sentence')
  const ping = await dropPing(server.base, bob)
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), pingTag(ping.id))
  await expect(page).toHaveURL(`/pins/${ping.id}`)
  await page.goBack()
  await expect(page.getByRole('textbox', { name: 'Type a message...' })).toHaveValue('half a sentence')
})

test('whatever is pushed, something harmless is shown', async ({ browserOf }) => {
  const ann = await signUp(server.base, 'ann')
  const page = await notifiedPhoneOf(browserOf, ann)
  for (const data of ['', 'no json', '[]', '{"kind":"younger","url":"https://evil.example/"}']) {
    await deliver(page, data)
    await expect
      .poll(() => shownOn(page))
      .toEqual([{ title: 'Hither', body: 'There is something new for you.', tag: 'hither', actions: [], path: '/' }])
    await tap(await workerOf(page), 'hither')
    await expect(page).toHaveURL('/')
    await page.goto('/profile')
  }
  await deliver(page, JSON.stringify({ title: 'Evil', tag: 'evil', url: '//evil.example/chat' }))
  await expect.poll(() => shownOn(page)).toMatchObject([{ title: 'Evil', path: '/' }])
})

test('of one account, nothing is shown to the next: not after signing out, nor without network', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket|Failed to load resource/)
  for (const isOffline of [false, true]) {
    const [ann, bob] = await twoFriends()
    const page = await notifiedPhoneOf(browserOf, ann)
    await dropPing(server.base, bob, { name: 'Secret supper' })
    const { text } = await receivedBy(service, ann.username, 'new_ping')
    await deliver(page, text)
    await expect.poll(() => shownOn(page)).toHaveLength(1)

    await page.context().setOffline(isOffline)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect.poll(() => shownOn(page)).toEqual([])
    await expect.poll(() => subscriptionKeyOf(page)).toBeNull()

    // One that was on its way.
    await watchPushes(await workerOf(page))
    await deliver(page, text)
    await untilHandled(await workerOf(page), 1)
    expect(await shownOn(page)).toEqual([])
    await page.context().setOffline(false)
    if (!isOffline) await expect(call(server.base, sendTestNotification, {}, ann)).rejects.toThrow(/401|404/)
  }
})

test('where notifications cannot be had, the card says why and what to do', async ({ browserOf }) => {
  const ann = await signUp(server.base, 'ann')
  const turnOn = (page: Page) => page.getByRole('button', { name: 'Turn on notifications' })

  const denied = await phoneOf(browserOf, ann, [])
  const session = await denied.context().newCDPSession(denied)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  await session.send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting: 'denied',
    origin: server.base,
    ...(targetInfo.browserContextId && { browserContextId: targetInfo.browserContextId }),
  })
  await denied.goto('/profile')
  await expect(denied.getByText('Your browser blocks them.')).toBeVisible()
  await expect(turnOn(denied)).toBeHidden()
  expect(await countsOf(denied)).toMatchObject({ asked: 0 })
  await expectAccessible(denied)

  const old = await browserOf(null, contextOf(server.base, ann))
  await old.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await old.goto('/profile')
  await expect(old.getByText('This browser cannot show notifications.')).toBeVisible()
  await expect(turnOn(old)).toBeHidden()

  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'
  const iphone = await browserOf(null, { ...contextOf(server.base, ann), userAgent } as ReturnType<typeof contextOf>)
  await iphone.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await iphone.goto('/profile')
  await expect(iphone.getByText('Hither has to be on the Home Screen')).toBeVisible()

  const keyless = await phoneOf(browserOf, ann)
  await keyless.route('**/api/config', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), push_key: null } })
  })
  await keyless.goto('/profile')
  await expect(keyless.getByText('This server sends no notifications.')).toBeVisible()

  const unreachable = await phoneOf(browserOf, ann)
  await unreachable.addInitScript(() => {
    PushManager.prototype.subscribe = () => Promise.reject(new DOMException('Registration failed', 'AbortError'))
  })
  await unreachable.goto('/profile')
  await untilServed(unreachable)
  await turnOn(unreachable).click()
  await expect(unreachable.getByText("Your browser's push service cannot be reached.")).toBeVisible()
  await expect(turnOn(unreachable)).toBeVisible()
})

test('what one is told, and when, is chosen in one place and taken back where the server refuses', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/)
  const ann = await signUp(server.base, 'ann')
  const page = await phoneOf(browserOf, ann)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/notifications/') && asked.push(request.url()))
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Choose what you are told' })).toBeVisible()
  expect(asked).toEqual([])

  await page.getByRole('button', { name: 'Choose what you are told' }).click()
  const dialog = page.getByRole('dialog', { name: 'What you are told' })
  const preferences = () => call(server.base, getNotificationPreferences, {}, ann)
  await dialog.getByRole('switch', { name: 'Messages' }).click()
  await dialog.getByRole('switch', { name: 'Hide details on the lock screen' }).click()
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click()
  await dialog.getByLabel('From').fill('23:15')
  await expect.poll(preferences).toEqual({
    kinds: { new_ping: true, ping_activated: true, ping_response: true, message: false, friend_request: true },
    hide_details: true,
    quiet_hours: { from: '23:15', to: '07:00', time_zone: 'America/New_York' },
  })
  await dialog.getByLabel('To', { exact: true }).fill('23:15')
  await expect(dialog.getByText('Quiet hours must end at another time than they begin.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('To', { exact: true }).fill('06:30')
  await expect.poll(async () => (await preferences()).quiet_hours?.to).toBe('06:30')

  await page.route('**/api/notifications/preferences', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await dialog.getByRole('switch', { name: 'New pings' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(dialog.getByRole('switch', { name: 'New pings' })).toBeChecked()
  await page.unroute('**/api/notifications/preferences')
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click()
  await expect.poll(async () => (await preferences()).quiet_hours).toBeNull()
})

test('a chat is muted for a while from its menu, which shows, and unmuted', async ({ browserOf, expectConsole }) => {
  expectConsole(/Failed to load resource/)
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await phoneOf(browserOf, ann)
  await page.goto(`/chat/${chat.id}`)
  const header = page.getByRole('region', { name: bob.username }).locator('header')
  const mutes = () => call(server.base, listMutes, {}, ann)

  await page.getByRole('button', { name: 'More options' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Mute'])
  await page.getByRole('menuitem', { name: 'Mute' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mute this chat?' })
  await expect(dialog.getByRole('listitem')).toHaveText(['1 hour', '8 hours', '1 week', 'Until I turn it back on'])
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '8 hours' }).click()
  await expect(header.getByRole('img', { name: 'Muted' })).toBeVisible()
  await expect.poll(async () => (await mutes()).length).toBe(1)
  const [mute] = await mutes()
  const hours = (Date.parse(mute?.muted_until ?? '') - Date.now()) / 3_600_000
  expect(Math.round(hours)).toBe(8)

  await page.getByRole('button', { name: 'Back to messages' }).click()
  const row = page.getByRole('link', { name: new RegExp(bob.username) })
  await expect(row.getByRole('img', { name: 'Muted' })).toBeVisible()
  await expectAccessible(page)
  await row.click()

  await page.getByRole('button', { name: 'More options' }).click()
  await page.route('**/api/notifications/mutes/*', (route) => route.abort())
  await page.getByRole('menuitem', { name: 'Unmute' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(header.getByRole('img', { name: 'Muted' })).toBeVisible()
  await page.unroute('**/api/notifications/mutes/*')
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: 'Unmute' }).click()
  await expect(header.getByRole('img', { name: 'Muted' })).toBeHidden()
  await expect.poll(mutes).toEqual([])
})

test('after the first friend, notifications are suggested once, without asking the browser', async ({ browserOf }) => {
  const [ann, bob, cat] = [
    await signUp(server.base, 'ann'),
    await signUp(server.base, 'bob'),
    await signUp(server.base, 'cat'),
  ]
  for (const other of [bob, cat])
    await call(server.base, sendFriendRequest, { body: { username: ann.username } }, other)
  const page = await phoneOf(browserOf, ann)
  await page.goto('/friends?tab=received')
  await untilServed(page)
  const suggestion = page.getByText('Know when friends answer, also while Hither is closed?')
  await page.getByRole('button', { name: `Accept the request of ${bob.username}` }).click()
  await expect(suggestion).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(suggestion).toBeHidden()
  expect(await countsOf(page)).toEqual({ subscribed: 0, asked: 0 })
  await page.reload()
  await page.getByRole('button', { name: `Accept the request of ${cat.username}` }).click()
  await expect(page.getByText(`You and ${cat.username} are now friends!`)).toBeVisible()
  await expect(suggestion).toBeHidden()
})

const goingOnly = [{ action: 'accepted', title: 'Going' }]

function pushOf(kind: string, { username }: Person) {
  return { kind, title: username, body: '', tag: kind, url: '/', timestamp: Date.now(), actions: [] }
}

async function answersTo({ id }: Ping, owner: Person): Promise<string[][]> {
  const ping = await call(server.base, getPing, { params: { id } }, owner)
  return 'responses' in ping ? ping.responses.map(({ username, response_type }) => [username, response_type]) : []
}
