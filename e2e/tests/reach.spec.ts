import { type Conversation, getConversation } from '@hither/contract/messages/messages.ts'
import { getPing } from '@hither/contract/pings.ts'
import type { Page, Route } from '@playwright/test'
import { makeDirect, messagesOf, textsOf, typeMessage } from '../conversations.ts'
import { expect, test } from '../fixtures.ts'
import { call, dropPing, type Person } from '../people.ts'

const unreachable = 'Hither cannot be reached. Check your connection and try again.'
/** What something between the app and its server answers. */
const foreign = [
  { status: 200, contentType: 'text/html', body: '<title>Sign in to the network</title>' },
  { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' },
  { status: 403, contentType: 'application/json', body: '{"message":"Forbidden"}' },
]
function storedTexts(base: string | undefined, { id }: Conversation, as: Person) {
  return call(base ?? '', getConversation, { params: { id }, query: {} }, as).then(
    ({ message_details: { messages } }) => messages.map(({ content }) => content),
  )
}

const goingOf = (page: Page) => page.getByRole('button', { name: 'Going', exact: true })

test('what something else answers is no verdict: messages wait in their order, a response waits, and the session stays', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of (400|401|403|502)/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)

  await page.goto(`/chat/${direct.id}`)
  let answered = 0
  const answer = (route: Route) => route.fulfill(foreign[answered++ % foreign.length] ?? {})
  await page.route('**/api/messages/send', answer)
  await typeMessage(page, 'one')
  await typeMessage(page, 'two')
  await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(3)
  await expect(messagesOf(page).getByText(/Not sent/)).toBeHidden()
  await page.unroute('**/api/messages/send')
  await expect.poll(() => storedTexts(baseURL, direct, ann)).toEqual(['one', 'two'])
  await expect.poll(() => textsOf(page)).toEqual(['one', 'two'])

  await page.goto(`/pins/${ping.id}`)
  await page.route('**/api/pings/respond', answer)
  await goingOf(page).click()
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await page.unroute('**/api/pings/respond')
  await expect
    .poll(async () => (await api(getPing, { params: { id: ping.id } }, ann)) as unknown)
    .toMatchObject({ responses: [{ response_type: 'accepted' }] })

  for (const response of [{ ...foreign[0], status: 401 }, { ...foreign[0], status: 400 }, foreign[2]]) {
    await page.evaluate(() => localStorage.setItem('access_token', 'stale'))
    await page.route('**/api/auth/refresh', (route) => route.fulfill(response ?? {}))
    const refreshed = page.waitForResponse('**/api/auth/refresh')
    await page.reload()
    await refreshed
    await page.unroute('**/api/auth/refresh')
    await page.reload()
    await expect(goingOf(page)).toHaveAttribute('aria-pressed', 'true')
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).not.toBe('stale')
  }
})

test('a sign-in that something else answers says that Hither cannot be reached', async ({
  browserOf,
  expectConsole,
}) => {
  expectConsole(/status of 502/)
  const page = await browserOf(null)
  await page.route('**/api/auth/login', (route) => route.fulfill(foreign[1]))
  await page.goto('/login')
  await page.getByLabel('Email').fill('ann@example.org')
  await page.getByLabel('Password', { exact: true }).fill('a password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText(unreachable)).toBeVisible()
})

test('a message whose request is never answered is sent again when the device is back online, also for other tabs', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  const other = await page.context().newPage()
  for (const tab of [page, other]) await tab.goto(`/chat/${direct.id}`)
  const asked = page.waitForRequest('**/api/messages/send')
  await page.route('**/api/messages/send', () => undefined, { times: 1 })
  await typeMessage(page, 'one')
  await asked
  await typeMessage(page, 'two')
  await typeMessage(other, 'three')
  await expect(messagesOf(page).getByText('three')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => storedTexts(baseURL, direct, bob)).toEqual(['one', 'two', 'three'])
})

test('a database of the browser that never answers delays messages and responses and loses none', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })
  await page.goto(`/chat/${direct.id}`)
  await typeMessage(page, 'one')
  await expect.poll(() => textsOf(page)).toEqual(['one'])
  await typeMessage(page, 'two')
  await expect.poll(() => storedTexts(baseURL, direct, ann)).toEqual(['one', 'two'])
  await page.goto(`/pins/${ping.id}`)
  await goingOf(page).click()
  await expect
    .poll(async () => (await api(getPing, { params: { id: ping.id } }, ann)) as unknown)
    .toMatchObject({ responses: [{ response_type: 'accepted' }] })
})

test('an edit that a page load interrupts is repeated when the page is shown again, and its text stays in the field', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await page.addInitScript(() => {
    const aborted: string[] = []
    Object.assign(window, { aborted })
    const { abort } = IDBTransaction.prototype
    IDBTransaction.prototype.abort = function (this: IDBTransaction) {
      aborted.push(this.db.name)
      abort.call(this)
    }
  })
  await page.goto(`/chat/${direct.id}`)
  await page.getByRole('textbox', { name: 'Type a message...' }).fill('one')
  await page.evaluate(() => {
    const form = document.querySelector('textarea')?.form
    form?.requestSubmit()
    // The database is busy with the edit when the page is left.
    setTimeout(() => {
      dispatchEvent(new PageTransitionEvent('pagehide'))
      dispatchEvent(new PageTransitionEvent('pageshow'))
    })
  })
  await expect.poll(() => textsOf(page)).toEqual(['one'])
  await expect(messagesOf(page).getByText('Waiting to be sent')).toBeHidden()
})

test('Home opens where the browser refuses its storages, and a sign-in lasts as long as the page', async ({
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  for (const refuse of [
    () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('The access is denied', 'SecurityError')
          },
        })
    },
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The storage is full', 'QuotaExceededError')
      }
    },
  ]) {
    const page = await browserOf(null)
    await page.addInitScript(refuse)
    await page.goto('/login')
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('My Pins')).toBeVisible()
  }
})
