import { createGuest, removeGuest } from '@hither/contract/guests.ts'
import type { PingId } from '@hither/contract/ids.ts'
import {
  changePing,
  type GuestPolicy,
  getPing,
  listMyPings,
  type OwnPing,
  respondToPing,
} from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { installClock } from '../fixed-clock.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { tapMap } from '../map.ts'
import { dropPing, password } from '../people.ts'

test.use({ pages: 'map' })

const notAccepting = "This pin isn't accepting new responses."

const answersOf = (page: Page) => page.getByRole('group', { name: 'Are you going?' }).getByRole('button')
const guestsOf = (page: Page) => page.getByRole('region', { name: 'Guests' })
const newToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

async function respond(page: Page, answer: string, name: string) {
  await page.getByRole('button', { name: answer, exact: true }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Records the URL and the `Referer` of every request of the page. */
function recordRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''))
  return sent
}

/** The addresses of the history entries, and the state of the current one. */
async function historyOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const { entries } = await devtools.send('Page.getNavigationHistory')
  return [...entries.map(({ url }) => url), await page.evaluate(() => JSON.stringify(history.state) + location.href)]
}

test('a visitor responds with a name, and changes and removes the response on another device', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  // Four screens are checked by axe in two schemes.
  test.slow()
  expectConsole(/status of 404/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, guest_policy: 'open', message: 'Bring a book' })
  const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
  const [annPage, page, other] = [await browserOf(ann), await browserOf(null, clipboard), await browserOf(null)]
  const sockets: string[] = []
  for (const one of [page, other]) one.on('websocket', (socket) => sockets.push(socket.url()))
  const sent = [recordRequests(page), recordRequests(other)]
  await annPage.goto(`/pins/${ping.id}`)
  await expect(guestsOf(annPage).getByText('No guests yet')).toBeVisible()

  await page.goto(`/pins/${ping.id}`)
  await expect(answersOf(page)).toHaveText(['Going', 'Maybe', "Can't"])
  await expect(page.getByText('Have an account?')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Login to Respond' })).toBeVisible()
  await expect(page.getByText('Bring a book')).toBeHidden()
  await page.getByRole('button', { name: 'Going', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Going', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('Your name')).toBeFocused()
  await expect(page.getByText(`${ann.username} will see this name.`)).toBeVisible()
  const promise = 'No account needed. Your response is deleted 24 hours after the pin ends.'
  await expect(page.getByText(promise)).toBeVisible()
  await page.getByLabel('Your name').fill('https://x.yz')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a name with 1 to 30 characters and no links.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Your name').fill(' Mia ')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(annPage.getByText('Mia (guest)')).toBeVisible()
  await expect(guestsOf(annPage).getByText('1 guest', { exact: true })).toBeVisible()
  await expect(guestsOf(annPage).getByText('Mia, guest, name not verified, going')).toBeAttached()
  await expect(page.getByRole('status').getByRole('heading', { name: "You're going" })).toBeFocused()
  await expect(page.getByText(`${ann.username} can see your response.`)).toBeVisible()
  await expect(page.getByText('Bring a book')).toBeVisible()
  await expect(page.getByText('1 going')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const address = `${baseURL}/pins/${ping.id}`
  expect(link.startsWith(`${address}#guest=`)).toBe(true)
  const token = link.slice(-43)

  await other.goto(link)
  await expect(other.getByRole('heading', { name: "You're going" })).toBeVisible()
  await expect(other).toHaveURL(address)
  await other.getByRole('button', { name: 'Change' }).click()
  await other.getByRole('button', { name: 'Cancel' }).click()
  await expect(other.getByRole('heading', { name: "You're going" })).toBeFocused()
  await other.getByRole('button', { name: 'Change' }).click()
  await expect(other.getByLabel('Your name')).toHaveValue('Mia')
  await other.getByRole('button', { name: 'Maybe' }).click()
  await expect(other.getByLabel('Your name')).toBeFocused()
  await other.getByRole('button', { name: 'Send' }).click()
  await expect(other.getByRole('heading', { name: 'Maybe' })).toBeVisible()
  await expect(guestsOf(annPage).getByText('Mia, guest, name not verified, maybe')).toBeAttached()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Maybe' })).toBeVisible()

  // A device with another response asks before it replaces it.
  await other.getByRole('button', { name: 'Remove response' }).click()
  await expect(guestsOf(annPage).getByText('No guests yet')).toBeVisible()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('guest_responses'))).toBeNull()
  await other.getByRole('button', { name: 'Going', exact: true }).click()
  await expect(other.getByLabel('Your name')).toHaveValue('Mia')
  await other.getByLabel('Your name').fill('Noa')
  await other.getByRole('button', { name: 'Send' }).click()
  await expect(other.getByRole('heading', { name: "You're going" })).toBeVisible()
  await page.reload()
  await expect(page.getByText('This response no longer exists.')).toBeVisible()
  await respond(page, "Can't", 'Mia')
  await expect(page.getByRole('heading', { name: "You can't make it" })).toBeVisible()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const newLink = await page.evaluate(() => navigator.clipboard.readText())
  // The token stays, because the device does not know whether the owner has removed the response.
  expect(newLink).toBe(link)
  const question = other.getByText('This device already has a response from Noa. Replace it?')
  await other.goto(newLink)
  await expect(question).toBeVisible()
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Keep' }).click()
  await expect(question).toBeHidden()
  await expect(other.getByRole('heading', { name: "You're going" })).toBeVisible()
  await other.goto(newLink)
  await other.getByRole('button', { name: 'Replace' }).click()
  await expect(other.getByRole('heading', { name: "You can't make it" })).toBeVisible()

  const seen = [...sent.flat(), ...(await historyOf(page)), ...(await historyOf(other))]
  expect(seen).toContain(address)
  expect(seen.filter((text) => text.includes(token) || text.includes('Mia'))).toEqual([])
  expect(sockets).toEqual([])
})

test('the owner approves, removes and adds guests, stops new responses and allows them again', async ({
  api,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  test.slow()
  expectConsole(/status of 40[34]/)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const [annPage, bobPage, evePage] = [await browserOf(ann), await browserOf(bob), await browserOf(eve)]
  const [page, late] = [await browserOf(null), await browserOf(null)]
  await annPage.goto('/')
  await tapMap(annPage)
  const dialog = annPage.getByRole('dialog', { name: 'New pin' })
  await dialog.getByLabel('Name').fill('Picnic')
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  const help = 'Invited friends see who else is coming. People who respond with the link see only the numbers.'
  await expect(dialog.getByText(help)).toBeVisible()
  const choice = dialog.getByRole('group', { name: 'Who can respond with the link' })
  await expect(choice).toBeHidden()
  await dialog.getByRole('switch', { name: 'Public link' }).check()
  await expect(choice.getByLabel('Anyone', { exact: true })).toBeChecked()
  await expect(
    dialog.getByText('They can respond with just a name. They can read your message after they respond.'),
  ).toBeVisible()
  await expect(dialog.getByText(/anyone with the link, until/)).toBeVisible()
  await choice.getByLabel('Only people I invite').check()
  await choice.getByLabel('Anyone, after I approve').check()
  await expectAccessible(annPage)
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  let ping: OwnPing | undefined
  await expect(async () => {
    ping = (await api(listMyPings, { query: {} }, ann))[0]
    expect(ping?.guest_policy).toBe('approval')
  }).toPass()
  const path = `/pins/${ping?.id}`

  await installClock(page)
  for (const one of [annPage, bobPage, evePage, page, late]) await one.goto(path)
  await respond(page, 'Going', 'Mia')
  const waiting = `Waiting for ${ann.username} to approve your response.`
  await expect(page.getByText(waiting)).toBeVisible()
  await expect(evePage.getByText(`You'll respond as ${eve.username}.`)).toBeVisible()
  await expect(evePage.getByText(`${ann.username} approves responses.`)).toBeVisible()
  await expectAccessible(evePage)
  await evePage.getByRole('button', { name: 'Maybe' }).click()
  await expect(evePage.getByText(waiting)).toBeVisible()
  await expect(guestsOf(annPage).getByText('2 guests · 2 waiting')).toBeVisible()
  await expect(bobPage.getByRole('heading', { name: "Who's coming" })).toBeVisible()
  await expect(bobPage.getByText(/guest/)).toBeHidden()
  await expectAccessible(annPage)

  // The page of a guest reads again after ten seconds, and only while it is visible.
  const setVisible = (state: 'hidden' | 'visible') =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await setVisible('hidden')
  let reads = 0
  page.on('request', (request) => void (request.url().endsWith('/guests/me') && reads++))
  await guestsOf(annPage).getByRole('button', { name: 'Approve Mia' }).click()
  await expect(guestsOf(annPage).getByText('2 guests · 1 waiting')).toBeVisible()
  await expect(bobPage.getByText('Mia (guest)')).toBeVisible()
  await page.clock.fastForward('01:00')
  expect(reads).toBe(0)
  await setVisible('visible')
  await expect(page.getByText(`${ann.username} can see your response.`)).toBeVisible()
  reads = 0
  await page.clock.fastForward('00:31')
  await expect.poll(() => reads).toBeGreaterThan(0)

  // The choice `Anyone` says that it approves the waiting guests.
  await guestsOf(annPage).getByRole('button', { name: 'Change' }).click()
  const policy = annPage.getByRole('dialog', { name: 'Who can respond with the link' })
  await expect(policy.getByText(/This also approves/)).toBeHidden()
  await policy.getByLabel('Anyone', { exact: true }).check()
  await expect(policy.getByText('This also approves 1 person who is waiting.')).toBeVisible()
  await expectAccessible(annPage)
  await policy.getByRole('button', { name: 'Save' }).click()
  await expect(policy).toBeHidden()
  await expect(guestsOf(annPage).getByText('2 guests', { exact: true })).toBeVisible()
  await expect(bobPage.getByText(`${eve.username} (guest)`)).toBeVisible()

  await guestsOf(annPage)
    .getByRole('button', { name: `More about ${eve.username}` })
    .click()
  await expect(annPage.getByRole('menuitem', { name: 'Report' })).toBeVisible()
  await annPage.getByRole('menuitem', { name: 'Add friend' }).click()
  await expect(annPage.getByText('Friend request sent!')).toBeVisible()

  // Somebody has the form open when the owner stops new responses.
  await late.reload()
  await late.getByRole('button', { name: 'Maybe' }).click()
  await late.getByLabel('Your name').fill('Zoe')
  await guestsOf(annPage).getByRole('button', { name: 'Stop new responses' }).click()
  await expect(guestsOf(annPage).getByRole('button', { name: 'Allow responses' })).toBeVisible()
  await late.getByRole('button', { name: 'Send' }).click()
  await expect(late.getByRole('alert').getByText(notAccepting)).toBeVisible()
  await expect(late.getByLabel('Your name')).toHaveValue('Zoe')
  await expect(late.getByRole('button', { name: 'Maybe' })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(late)
  await guestsOf(annPage).getByRole('button', { name: 'Allow responses' }).click()
  await expect(policy.getByLabel('Anyone', { exact: true })).toBeChecked()
  await policy.getByRole('button', { name: 'Save' }).click()
  await expect(guestsOf(annPage).getByRole('button', { name: 'Stop new responses' })).toBeVisible()
  await late.getByRole('button', { name: 'Send' }).click()
  await expect(late.getByRole('heading', { name: 'Maybe' })).toBeVisible()

  await guestsOf(annPage).getByRole('button', { name: 'Remove Mia' }).click()
  const confirmation = annPage.getByRole('alertdialog', { name: 'Remove Mia?' })
  await expect(confirmation.getByText("Their response is deleted. They won't be notified.")).toBeVisible()
  await confirmation.getByRole('button', { name: 'Remove' }).click()
  await expect(guestsOf(annPage).getByText('2 guests', { exact: true })).toBeVisible()
  await expect(bobPage.getByText('Mia (guest)')).toBeHidden()
  await page.clock.fastForward('00:31')
  await expect(page.getByText('This response no longer exists.')).toBeVisible()

  // A removal is final on this device, also after the page was closed.
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload()
    await expect(page.getByRole('heading', { name: "You're going" })).toBeHidden()
    await respond(page, 'Maybe', 'Mia')
    await expect(page.getByText(notAccepting)).toBeVisible()
    await expect(page.getByLabel('Your name')).toHaveValue('Mia')
    await expect(page.getByRole('button', { name: 'Maybe' })).toHaveAttribute('aria-pressed', 'true')
  }
  await expect(guestsOf(annPage).getByText('2 guests', { exact: true })).toBeVisible()
  await expect(guestsOf(annPage).getByText('Mia', { exact: true })).toBeHidden()

  await annPage.goto('/profile')
  await expect(annPage.getByText('Anyone with the link can respond')).toBeVisible()
})

test('answer controls are shown exactly to those whose response the server accepts', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  test.slow()
  expectConsole(/status of 40[34]/)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const [annPage, bobPage, evePage] = [await browserOf(ann), await browserOf(bob), await browserOf(eve)]
  const page = await browserOf(null)
  const as = { ann, bob, eve, visitor: undefined }
  const pages = { ann: annPage, bob: bobPage, eve: evePage, visitor: page }
  const viewers = Object.keys(pages) as (keyof typeof pages)[]

  /** Compares each page with `can_respond`, and the server's reply with both. Returns those who may respond. */
  async function whoMayRespond(pingId: PingId): Promise<string[]> {
    const allowed: string[] = []
    for (const who of viewers) {
      await pages[who].goto(`/pins/${pingId}`)
      await expect(pages[who].getByRole('heading', { level: 1 })).toBeVisible()
      const { can_respond } = await api(getPing, { params: { id: pingId } }, as[who])
      await expect(answersOf(pages[who])).toHaveCount(can_respond ? 3 : 0)
      const body = { token: newToken(), name: 'Mia', response_type: 'declined' } as const
      const reply = as[who]
        ? api(respondToPing, { body: { ping_id: pingId, response_type: 'declined' } }, as[who])
        : api(createGuest, { params: { id: pingId }, body })
      if (can_respond) await expect(reply, who).resolves.toBeTruthy()
      else await expect(reply, who).rejects.toThrow(/answered 40[39]/)
      if (can_respond) allowed.push(who)
    }
    return allowed
  }

  const drop = (guest_policy: GuestPolicy) => dropPing(baseURL ?? '', ann, { is_public: true, guest_policy })
  const open = await drop('open')
  expect(await whoMayRespond(open.id)).toEqual(['bob', 'eve', 'visitor'])
  // With the policy `off`, guests may still change their answers.
  await api(changePing, { params: { id: open.id }, body: { guest_policy: 'off' } }, ann)
  expect(await whoMayRespond(open.id)).toEqual(['bob', 'eve'])

  const removed = await drop('approval')
  expect(await whoMayRespond(removed.id)).toEqual(['bob', 'eve', 'visitor'])
  const own = await api(getPing, { params: { id: removed.id } }, ann)
  const guest = own.access === 'owner' && own.guests.find(({ name }) => name === eve.username)
  if (!guest) throw new Error('eve is no guest')
  await api(removeGuest, { params: { id: removed.id, guestId: guest.id } }, ann)
  expect(await whoMayRespond(removed.id)).toEqual(['bob', 'visitor'])
  await expect(evePage.getByText(notAccepting)).toBeVisible()

  const full = await drop('open')
  for (let count = 0; count < 50; count++) {
    const body = { token: newToken(), name: `Guest ${count}`, response_type: 'accepted' } as const
    await api(createGuest, { params: { id: full.id }, body })
  }
  expect(await whoMayRespond(full.id)).toEqual(['bob'])
  for (const one of [page, evePage]) await expect(one.getByText(notAccepting)).toBeVisible()

  const off = await drop('off')
  expect(await whoMayRespond(off.id)).toEqual(['bob'])
  await expect(evePage.getByText(`Only people ${ann.username} invited can respond.`)).toBeVisible()
  await expect(page.getByText('Login to unlock more features')).toBeVisible()
  const line = page.getByText(`Only people ${ann.username} invited can respond. If that's you, log in.`)
  await expect(line.locator('xpath=following-sibling::*[1]')).toHaveText('Login to Respond')
  await expectAccessible(page)
  await expectAccessible(evePage)
})

test('a response written offline is sent once, moves to an account, and is shown for a day after the end', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Worker failed to load/, /status of 404/)
  const [ann, eve] = [await person('ann'), await person('eve')]
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, guest_policy: 'open' })
  const [annPage, page] = [await browserOf(ann), await browserOf(null)]
  for (const one of [annPage, page]) await one.goto(`/pins/${ping.id}`)
  await expect(answersOf(page)).toHaveCount(3)
  let posts = 0
  page.on('request', (request) => void (request.method() === 'POST' && /\/guests$/.test(request.url()) && posts++))
  await page.getByRole('button', { name: 'Going', exact: true }).click()
  await page.getByLabel('Your name').fill('Mia')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText("We'll send your response when you're back online.")).toBeVisible()
  expect(posts).toBe(1)
  await page.context().setOffline(false)
  await expect(page.getByText(`${ann.username} can see your response.`)).toBeVisible()
  expect(posts).toBe(2)
  await expect(guestsOf(annPage).getByText('1 guest', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Login to Respond' }).click()
  await page.getByLabel('Email').fill(eve.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  const question = page.getByText('You responded as Mia. Move this response to your account?')
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(question).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('Response moved to your account')).toBeVisible()
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: 'Going', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(guestsOf(annPage).getByText(`${eve.username}, guest, going`)).toBeAttached()
  expect(await page.evaluate(() => localStorage.getItem('guest_responses'))).toBeNull()

  const late = await browserOf(null)
  await late.goto(`/pins/${ping.id}`)
  await respond(late, 'Maybe', 'Zoe')
  await expect(late.getByRole('heading', { name: 'Maybe' })).toBeVisible()
  await api(changePing, { params: { id: ping.id }, body: { end: true } }, ann)
  await late.reload()
  await expect(late.getByText('This ping has expired. No new responses can be submitted.')).toBeVisible()
  await expect(late.getByRole('heading', { name: 'Maybe' })).toBeVisible()
  for (const name of ['Change', 'Copy link', 'Login to Respond'])
    await expect(late.getByRole('button', { name })).toBeHidden()
  await expect(late.getByRole('link', { name: 'Login to Respond' })).toBeHidden()
  await late.getByRole('button', { name: 'Remove response' }).click()
  await expect(late.getByText('Pin not found or has expired')).toBeVisible()
})

test.describe('with idle work', () => {
  test.use({ pages: 'complete' })

  test('the first response of a device is sent from another page when the network is back', { tag: '@quick' }, async ({
    baseURL,
    browserOf,
    expectConsole,
    person,
  }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED|Worker failed to load/)
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { is_public: true, guest_policy: 'open' })
    const [annPage, page] = [await browserOf(ann), await browserOf(null)]
    for (const one of [annPage, page]) await one.goto(`/pins/${ping.id}`)
    await page.getByRole('button', { name: 'Going', exact: true }).click()
    await page.getByLabel('Your name').fill('Mia')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText("We'll send your response when you're back online.")).toBeVisible()
    await page.getByRole('link', { name: 'Login to Respond' }).click()
    await expect(page).toHaveURL('/login')
    await page.context().setOffline(false)
    await expect(guestsOf(annPage).getByText('Mia, guest, name not verified, going')).toBeAttached()
  })

  test('an unsent response is removed offline, sent without the page of the ping, and erased a day after the end', async ({
    baseURL,
    browserOf,
    expectConsole,
    person,
  }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /Worker failed to load/, /status of 404/)
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { is_public: true, guest_policy: 'open' })
    const [annPage, page] = [await browserOf(ann), await browserOf(null)]
    const stored = () => page.evaluate(() => localStorage.getItem('guest_responses'))
    for (const one of [annPage, page]) await one.goto(`/pins/${ping.id}`)

    // The reply to the first attempt is lost, so the server has the response that the device removes.
    await page.route('**/guests', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await respond(page, 'Going', 'Mia')
    await expect(page.getByText("We'll send your response when you're back online.")).toBeVisible()
    await expect(guestsOf(annPage).getByText('Mia, guest, name not verified, going')).toBeAttached()
    await page.context().setOffline(true)
    await page.unroute('**/guests')
    await page.getByRole('button', { name: 'Remove response' }).click()
    await expect(page.getByText('Response removed')).toBeVisible()
    await expect(answersOf(page)).toHaveCount(3)
    await page.context().setOffline(false)
    await expect(guestsOf(annPage).getByText('No guests yet')).toBeVisible()
    await expect.poll(stored).toBeNull()

    await page.route('**/guests', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/guests'))
    await respond(page, 'Maybe', 'Zoe')
    await failed
    await expect(page.getByText("We'll send your response when you're back online.")).toBeVisible()
    await page.goto('about:blank')
    await page.unroute('**/guests')
    const posts: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && posts.push(`${page.url()} ${request.url()}`)))
    await page.goto('/login')
    await expect(guestsOf(annPage).getByText('Zoe, guest, name not verified, maybe')).toBeAttached()
    await expect.poll(stored).toContain('"unsent":null')
    expect(posts).toEqual([`${baseURL}/login ${baseURL}/api/pings/${ping.id}/guests`])

    const expires_at = new Date(Date.now() - 25 * 3_600_000).toISOString()
    const erased = { token: newToken(), name: 'Zoe', expires_at, isSent: true, unsent: null, isWithdrawn: false }
    await page.evaluate(
      (guests) => localStorage.setItem('guest_responses', guests),
      JSON.stringify({ [ping.id]: erased }),
    )
    await page.reload()
    await expect.poll(stored).toBeNull()
  })
})
