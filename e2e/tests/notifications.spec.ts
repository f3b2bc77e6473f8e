import { getConfig } from '@hither/contract/config.ts'
import { sendFriendRequest } from '@hither/contract/friends.ts'
import { getNotificationPreferences, listMutes, sendTestNotification } from '@hither/contract/notifications.ts'
import { listResponses, type Ping } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { openPushService, type PushService } from '../../server/test/push-service.ts'
import { makeDirect, messageMenu, messagesOf, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { befriend, call, dropPing, type Person, password, signUp } from '../people.ts'
import { makePinChat, setChatDate } from '../pin-chats.ts'
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
  untilPageAnswers,
  waitForController,
  workerOf,
} from '../push-device.ts'
import { type OwnServer, startOwnServer } from '../servers.ts'
import { textsIn } from '../texts.ts'

// All tests share one separate server, which allows the push service of the test.
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

type BrowserOf = (person: null, options: ReturnType<typeof contextOf> & { locale?: string }) => Promise<Page>

async function twoFriends(): Promise<[Person, Person]> {
  const [ann, bob] = [await signUp(server.base, 'ann'), await signUp(server.base, 'bob')]
  await befriend(server.base, ann, bob)
  return [ann, bob]
}

async function phoneOf(
  browserOf: BrowserOf,
  person: Person,
  permissions = ['notifications'],
  locale?: string,
): Promise<Page> {
  const page = await browserOf(null, { ...contextOf(server.base, person, permissions), ...(locale && { locale }) })
  await standInForPushService(page, service, person.username)
  return page
}

/** Opens the app as this user and turns notifications on. */
async function notifiedPhoneOf(browserOf: BrowserOf, person: Person): Promise<Page> {
  const page = await phoneOf(browserOf, person)
  await page.goto('/profile')
  await waitForController(page)
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on')).toBeVisible()
  return page
}

test('notifications are turned on after an explanation, tested, renewed at each start, and turned off', async ({
  browserOf,
}) => {
  const ann = await signUp(server.base, 'ann')
  const page = await phoneOf(browserOf, ann)
  await page.goto('/profile')
  await waitForController(page)
  await expect(page.getByText('Get notified when friends drop a pin')).toBeVisible()
  expect(await countsOf(page)).toEqual({ subscribed: 0, asked: 0 })

  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText("You'll be notified even when Hither is closed.")).toBeVisible()
  const { push_key } = await call(server.base, getConfig, {})
  expect(await subscriptionKeyOf(page)).toBe(push_key)

  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText('Your test notification will arrive in a moment')).toBeVisible()
  await deliver(page, (await receivedBy(service, ann.username, 'test')).text)
  await expect.poll(() => shownOn(page)).toMatchObject([{ title: 'Test notification', path: '/profile', actions: [] }])
  await expectAccessible(page)

  // If the key of the server has changed or the browser has lost its subscription, the app subscribes again.
  const otherKey = push_key?.replace(/^B(.)/, (_, second) => (second === 'A' ? 'BB' : 'BA')) ?? ''
  for (const before of [otherKey, null]) {
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

const fr = textsIn('fr')

/** A new user on a French device, with the profile open. */
async function frenchProfile(browserOf: BrowserOf) {
  const ann = await signUp(server.base, 'ann')
  const page = await phoneOf(browserOf, ann, ['notifications'], 'fr-FR')
  await page.goto('/profile')
  await waitForController(page)
  return { ann, page }
}

async function turnOnInFrench(page: Page) {
  await page.getByRole('button', { name: fr('notifications.card.turnOnName') }).click()
  await expect(page.getByText(fr('notifications.card.turnedOn'))).toBeVisible()
}

test('without a network, the service worker shows a notification that it cannot read in the language of the device', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/)
  const { page } = await frenchProfile(browserOf)
  await turnOnInFrench(page)
  await page.context().setOffline(true)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await deliver(page, 'not a payload')
  await expect.poll(() => shownOn(page)).toMatchObject([{ body: fr('pwa.push.unknown') }])
})

test('after a new sign-in without a reload, the service worker still shows its own texts in the language of the device', async ({
  browserOf,
}) => {
  const { ann, page } = await frenchProfile(browserOf)
  await page.getByRole('button', { name: fr('profile.signOut'), exact: true }).click()
  await page.getByLabel(fr('auth.email')).fill(ann.email)
  await page.getByLabel(fr('auth.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: fr('auth.signIn'), exact: true }).click()
  await page.getByRole('button', { name: fr('shell.accountMenu') }).click()
  await page.getByRole('menuitem', { name: fr('shell.profile') }).click()
  await turnOnInFrench(page)
  await deliver(page, 'not a payload')
  await expect.poll(() => shownOn(page)).toMatchObject([{ body: fr('pwa.push.unknown') }])
})

test('the notification of a new ping opens it in the open window, and its buttons send a response', async ({
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
  await expect(page.getByRole('heading', { name: 'Soup at noon' })).toBeVisible()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  expect(await shownOn(page)).toEqual([])

  await deliver(page, text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), pingTag(ping.id), 'accepted')
  await expect(page.getByText('Your response was sent')).toBeVisible()
  await expect.poll(() => answersTo(ping, bob)).toEqual([[ann.username, 'accepted']])
  expect(page.url()).toContain(path)
  await expect(page.getByRole('button', { name: 'Going', pressed: true })).toBeVisible()

  // A ping with a response shows no buttons.
  const another = await dropPing(server.base, bob, { name: 'Tea at five', latitude: 40.77 })
  await expect.poll(() => service.received.some(({ payload }) => payload.ping_id === another.id)).toBe(true)
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await page.goto(`/pins/${another.id}`)
  await page.getByRole('button', { name: 'Maybe' }).click()
  await expect.poll(() => shownOn(page)).toEqual([])
})

test('a response given without an open window is sent by the next window, and never by a link', async ({
  browserOf,
}) => {
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
  await expect(next.getByText('Your response was sent')).toBeVisible()
  await expect.poll(() => answersTo(ping, bob)).toEqual([[ann.username, 'declined']])
  await next.reload()
  await expect(next.getByRole('button', { name: "Can't", pressed: true })).toBeVisible()
  await expect(next.getByText('Your response was sent')).toBeHidden()
})

test('a response that the server refuses shows an error', async ({ browserOf, expectConsole }) => {
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

test('the notification of a message is shown until it is read, and the app badge counts it', async ({ browserOf }) => {
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await phoneOf(browserOf, ann)
  await page.addInitScript(() => {
    const badges: number[] = []
    Object.assign(window, { badges })
    Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) })
  })
  await page.goto('/profile')
  await waitForController(page)
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on')).toBeVisible()

  await postMessage(server.base, chat.id, 'Are you there?', bob)
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

test('the notification of a chat is closed and its messages leave the badge at its date', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection/)
  const [ann, bob] = await twoFriends()
  const cat = await signUp(server.base, 'cat')
  await befriend(server.base, bob, cat)
  const chat = await makePinChat(server.base, bob, [ann, cat])
  const page = await phoneOf(browserOf, ann)
  await page.addInitScript(() => {
    const badges: number[] = []
    Object.assign(window, { badges })
    navigator.setAppBadge = async (count = -1) => void badges.push(count)
  })
  await page.goto('/profile')
  await waitForController(page)
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on')).toBeVisible()
  await postMessage(server.base, chat.id, 'Are you there?', bob)
  await setChatDate(server.folder, chat.id, new Date(Date.now() + 20_000))
  await withoutLiveChannel(page)
  await page.goto('/friends')
  await expect(page.getByRole('link', { name: /^Chat/ })).toHaveAccessibleName(/1/)
  // Only the device itself can know that the chat has ended: the message is newer than the list that it has read.
  await page.context().setOffline(true)
  await postMessage(server.base, chat.id, 'Hello?', bob)
  const isNewest = () =>
    service.received.some(({ payload }) => payload.kind === 'message' && payload.body.includes('Hello?'))
  await expect.poll(isNewest, { timeout: 20_000 }).toBe(true)
  await deliver(page, (await receivedBy(service, ann.username, 'message')).text)
  await expect.poll(() => shownOn(page)).toMatchObject([{ tag: chatTag(chat.id) }])
  const badges = () => page.evaluate(() => (window as unknown as { badges: number[] }).badges)
  expect((await badges()).at(-1)).toBeGreaterThan(0)
  await expect.poll(() => shownOn(page), { timeout: 60_000 }).toEqual([])
  await expect.poll(async () => (await badges()).at(-1)).toBe(0)
})

test('no notification is shown for a message in the open conversation', async ({ browserOf }) => {
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await notifiedPhoneOf(browserOf, ann)
  const message = JSON.stringify({ ...pushOf('message', bob), url: `/chat/${chat.id}`, tag: chatTag(chat.id) })
  await page.goto(`/chat/${chat.id}`)
  await page.bringToFront()
  await expect(page.getByRole('textbox', { name: 'Type a message...' })).toBeVisible()
  await untilPageAnswers(await workerOf(page), `/chat/${chat.id}`)
  await deliver(page, message)
  expect(await shownOn(page)).toEqual([])

  await page.getByRole('button', { name: 'Back to messages' }).click()
  await expect(page).toHaveURL('/chat')
  await deliver(page, message)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
})

test('unsaved input survives a click on a notification', async ({ browserOf }) => {
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
    const question = page.getByRole('alertdialog', { name: 'Discard what you are writing?' })
    await expect(question).toBeVisible()
    await expect(page).toHaveURL('/friends')
    await question.getByRole('button', { name: choice }).click()
    await expect(question).toBeHidden()
    if (choice === 'Cancel') await expect(field).toHaveValue('half a na')
  }
  await expect(page).toHaveURL(`/chat/${chat.id}`)

  // The chat stores drafts itself.
  await page.getByRole('textbox', { name: 'Type a message...' }).fill('half a sentence')
  const ping = await dropPing(server.base, bob)
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), pingTag(ping.id))
  await expect(page).toHaveURL(`/pins/${ping.id}`)
  await page.goBack()
  await expect(page.getByRole('textbox', { name: 'Type a message...' })).toHaveValue('half a sentence')

  // The new text of a message is not stored.
  await page.getByRole('textbox', { name: 'Type a message...' }).press('Enter')
  const menu = await messageMenu(page, 'half a sentence')
  await menu.getByRole('menuitem', { name: 'Edit' }).click()
  const editing = page.getByRole('textbox', { name: 'Edit message' })
  await editing.fill('a whole sentence')
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), pingTag(ping.id))
  await page
    .getByRole('alertdialog', { name: 'Discard what you are writing?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect(editing).toHaveValue('a whole sentence')
})

test('a response that is given with a notification and waits for the network says so', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/)
  const [ann, bob] = await twoFriends()
  const page = await notifiedPhoneOf(browserOf, ann)
  const ping = await dropPing(server.base, bob, { name: 'Soup at noon' })
  await page.route('**/pings/respond', (route) => route.abort())
  await deliver(page, (await receivedBy(service, ann.username, 'new_ping')).text)
  await expect.poll(() => shownOn(page)).toHaveLength(1)
  await tap(await workerOf(page), pingTag(ping.id), 'accepted')
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await expect(page.getByText('Your response was sent')).toBeHidden()
  await page.unroute('**/pings/respond')
  await expect.poll(() => answersTo(ping, bob)).toEqual([[ann.username, 'accepted']])
})

test('an invalid push payload shows a generic notification', async ({ browserOf }) => {
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

test('notifications of one account are not shown to the next, neither after signing out nor offline', async ({
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

    // A push message that was sent before signing out arrives afterwards.
    await deliver(page, text)
    expect(await shownOn(page)).toEqual([])
    await page.context().setOffline(false)
    if (!isOffline) await expect(call(server.base, sendTestNotification, {}, ann)).rejects.toThrow(/401|404/)
  }
})

test('the card says why notifications are unavailable and what to do', async ({ browserOf }) => {
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
  await expect(denied.getByText('Your browser blocks notifications.')).toBeVisible()
  await expect(turnOn(denied)).toBeHidden()
  expect(await countsOf(denied)).toMatchObject({ asked: 0 })
  await expectAccessible(denied)

  const old = await browserOf(null, contextOf(server.base, ann))
  await old.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await old.goto('/profile')
  await expect(old.getByText("This browser doesn't support notifications.")).toBeVisible()
  await expect(turnOn(old)).toBeHidden()

  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'
  const iphone = await browserOf(null, { ...contextOf(server.base, ann), userAgent } as ReturnType<typeof contextOf>)
  await iphone.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await iphone.goto('/profile')
  await expect(iphone.getByText('add Hither to the Home Screen first')).toBeVisible()

  const keyless = await phoneOf(browserOf, ann)
  await keyless.route('**/api/config', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), push_key: null } })
  })
  await keyless.goto('/profile')
  await expect(keyless.getByText("This server doesn't send notifications.")).toBeVisible()

  const unreachable = await phoneOf(browserOf, ann)
  await unreachable.addInitScript(() => {
    PushManager.prototype.subscribe = () => Promise.reject(new DOMException('Registration failed', 'AbortError'))
  })
  await unreachable.goto('/profile')
  await waitForController(unreachable)
  await turnOn(unreachable).click()
  await expect(unreachable.getByText("Your browser's push service can't be reached.")).toBeVisible()
  await expect(turnOn(unreachable)).toBeVisible()
})

test('notification preferences and quiet hours can be changed, and a refused change is reverted', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/)
  const ann = await signUp(server.base, 'ann')
  const page = await phoneOf(browserOf, ann)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/notifications/') && asked.push(request.url()))
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Choose your notifications' })).toBeVisible()
  expect(asked).toEqual([])

  await page.getByRole('button', { name: 'Choose your notifications' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  const preferences = () => call(server.base, getNotificationPreferences, {}, ann)
  for (const text of [
    'New messages. Mute a chat from its menu.',
    'No notifications during these hours',
    'Hide names and message text',
    'Time or place changes, or a pin is canceled',
    '15 minutes before a scheduled pin starts',
  ])
    await expect(dialog.getByText(text)).toBeVisible()
  for (const name of ['Changes to pins', 'Reminders']) {
    await expect(dialog.getByRole('switch', { name })).toBeChecked()
    await dialog.getByRole('switch', { name }).click()
  }
  await dialog.getByRole('switch', { name: 'Messages' }).click()
  await dialog.getByRole('switch', { name: 'Hide details on the lock screen' }).click()
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click()
  await dialog.getByLabel('From').fill('23:15')
  await expect.poll(preferences).toEqual({
    kinds: {
      ...{
        new_ping: true,
        ping_activated: true,
        ping_changed: false,
        ping_reminder: false,
        ping_response: true,
        ping_trip: true,
      },
      ...{ message: false, message_reaction: false, friend_request: true },
    },
    hide_details: true,
    quiet_hours: { from: '23:15', to: '07:00', time_zone: 'America/New_York' },
  })
  await dialog.getByLabel('To', { exact: true }).fill('23:15')
  await expect(dialog.getByText('Quiet hours must end at a different time than they start.')).toBeVisible()
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

test('a chat is muted for a time from its menu, shows it, and is unmuted', async ({ browserOf, expectConsole }) => {
  expectConsole(/Failed to load resource/)
  const [ann, bob] = await twoFriends()
  const chat = await makeDirect(server.base, ann, bob)
  const page = await phoneOf(browserOf, ann)
  await page.goto(`/chat/${chat.id}`)
  const header = page.getByRole('region', { name: bob.username }).locator('header')
  const mutes = () => call(server.base, listMutes, {}, ann)

  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Search in chat', 'Mute'])
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

  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await page.route('**/api/notifications/mutes/*', (route) => route.abort())
  await page.getByRole('menuitem', { name: 'Unmute' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(header.getByRole('img', { name: 'Muted' })).toBeVisible()
  await page.unroute('**/api/notifications/mutes/*')
  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unmute' }).click()
  await expect(header.getByRole('img', { name: 'Muted' })).toBeHidden()
  await expect.poll(mutes).toEqual([])
})

test('notifications are suggested after a new friend without a prompt, until the next screen, and not after a refusal', async ({
  browserOf,
}) => {
  const [ann, bob, cat, dan] = [
    await signUp(server.base, 'ann'),
    await signUp(server.base, 'bob'),
    await signUp(server.base, 'cat'),
    await signUp(server.base, 'dan'),
  ]
  for (const other of [bob, cat, dan])
    await call(server.base, sendFriendRequest, { body: { username: ann.username } }, other)
  const page = await phoneOf(browserOf, ann)
  const accept = ({ username }: Person) =>
    page.getByRole('button', { name: `Accept friend request from ${username}` }).click()
  const topOf = async () => (await page.getByRole('tablist').boundingBox())?.y
  await page.goto('/friends?tab=received')
  await waitForController(page)
  const suggestion = page.getByText('Get notified when friends respond, even when Hither is closed?')
  const top = await topOf()
  await accept(bob)
  await expect(suggestion).toBeVisible()
  expect(await topOf()).toBe(top)
  await page.getByRole('link', { name: 'Chat' }).click()
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('tablist')).toBeVisible()
  await expect(suggestion).toBeHidden()

  await page.reload()
  await accept(cat)
  await expect(suggestion).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(suggestion).toBeHidden()
  expect(await countsOf(page)).toEqual({ subscribed: 0, asked: 0 })
  await page.reload()
  await accept(dan)
  await expect(page.getByText(`You and ${dan.username} are now friends!`)).toBeVisible()
  await expect(suggestion).toBeHidden()
})

const goingOnly = [{ action: 'accepted', title: 'Going' }]

function pushOf(kind: string, { username }: Person) {
  return { kind, title: username, body: '', tag: kind, url: '/', timestamp: Date.now(), actions: [] }
}

async function answersTo({ id }: Ping, owner: Person): Promise<string[][]> {
  const responses = await call(server.base, listResponses, { params: { id } }, owner)
  return responses.map(({ username, response_type }) => [username, response_type])
}
