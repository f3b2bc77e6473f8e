import { type CreatePing, changePing, getPing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing } from '../people.ts'

const offline = /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/
const pathOf = (ping: Ping) => `/pins/${ping.id}`
const startIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const place = { latitude: 40.7127, longitude: -74.0059 }
const comingOf = (page: Page) => page.getByRole('list', { name: "Who's coming" })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The time of a start as the page shows it: with the day if it is not today. */
function shownTime(page: Page, at: string): Promise<string> {
  return page.evaluate((at) => {
    const [start, now] = [new Date(at), new Date()]
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(start)
    const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short' }).format(start)
    return start.toDateString() === now.toDateString() ? clock : `${day} ${clock}`
  }, at)
}

test('after a change of the start, those who are coming are asked again on the page of the pin', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  // The question is checked by axe in two schemes.
  test.slow()
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann, { activates_at: startIn(60), duration_minutes: 60 })
  for (const [who, response_type] of [[bob, 'accepted'] as const, [cat, 'tentative'] as const])
    await api(respondToPing, { body: { ping_id: ping.id, response_type } }, who)
  const [annPage, page, catPage] = [await browserOf(ann), await browserOf(bob), await browserOf(cat)]
  for (const either of [annPage, page, catPage]) await either.goto(pathOf(ping))
  await expect(button(page, 'Going')).toHaveAttribute('aria-pressed', 'true')

  const activates_at = startIn(90)
  await api(changePing, { params: { id: ping.id }, body: { activates_at } }, ann)
  const change = `${ann.username} changed the time to ${await shownTime(page, activates_at)}.`
  const question = page.getByRole('region', { name: `${change} Still going?` })
  await expect(question.getByRole('heading', { level: 2 })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Still going?' })).toBeVisible()
  await expect(question.getByRole('button')).toHaveText(['Yes', 'Maybe', "Can't"])
  await expect(button(page, 'Going')).toBeHidden()
  await expect(button(page, 'On my way')).toBeVisible()
  await expectAccessible(page)
  const catQuestion = catPage.getByRole('region', { name: `${change} Are you going?` })
  await expect(catQuestion.getByRole('button')).toHaveText(['Going', 'Maybe', "Can't"])
  await expect(comingOf(annPage)).toContainText(`1 Going ${bob.username} (not confirmed)`)
  await expect(comingOf(annPage)).toContainText(`1 Maybe ${cat.username} (not confirmed)`)

  await question.getByRole('button', { name: 'Yes' }).press('Enter')
  await expect(question).toBeHidden()
  await expect(button(page, 'Going')).toHaveAttribute('aria-pressed', 'true')
  await expect(button(page, 'Going')).toBeFocused()
  await catQuestion.getByRole('button', { name: 'Maybe' }).click()
  await expect(catQuestion).toBeHidden()
  await expect(comingOf(annPage)).not.toContainText('(not confirmed)')
  await expect(comingOf(annPage)).toContainText(`1 Maybe ${cat.username}`)

  await api(changePing, { params: { id: ping.id }, body: { ...place, activates_at: startIn(120) } }, ann)
  const both = page.getByRole('region', { name: `${ann.username} changed the time and place. Still going?` })
  await page.setViewportSize({ width: 320, height: 640 })
  await both.getByRole('button', { name: "Can't" }).click()
  await expect(both).toBeHidden()
  await expect(comingOf(annPage)).toContainText(`1 Can't make it ${bob.username}`)
})

test.describe('with a map', () => {
  test.use({ pages: 'map' })

  test('the card on the map asks again, and a change of the name asks nothing', async ({
    api,
    baseURL,
    browserOf,
    friends,
    person,
  }) => {
    const [ann, bob] = [await person('ann'), await person('bob')]
    await friends(ann, bob)
    const ping = await dropPing(baseURL ?? '', ann)
    await api(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, bob)
    const page = await browserOf(bob)
    await page.goto('/')
    await page.getByRole('button', { name: new RegExp(`^${ann.username}, Coffee at Nero`) }).click()
    const card = page.getByRole('dialog', { name: 'Coffee at Nero' })
    await expect(card.getByRole('button', { name: 'Going' })).toHaveAttribute('aria-pressed', 'true')
    await api(changePing, { params: { id: ping.id }, body: { name: 'Tea at Nero', message: 'At the window' } }, ann)
    await expect(page.getByRole('dialog', { name: 'Tea at Nero' }).getByText('At the window')).toBeVisible()
    await expect(page.getByText('Still going?')).toBeHidden()
    await api(changePing, { params: { id: ping.id }, body: place }, ann)
    const question = page.getByRole('region', { name: `${ann.username} changed the place. Still going?` })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Yes' }).click()
    await expect(question).toBeHidden()
    // The page answers before the server does.
    await expect
      .poll(async () => ((await api(getPing, { params: { id: ping.id } }, bob)) as Ping).responses)
      .toMatchObject([{ response_type: 'accepted', revision: 1 }])
  })
})

test('an answer given offline before a change arrives as outdated', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(offline)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)
  await page.goto(pathOf(ping))
  await expect(button(page, 'Going')).toBeVisible()
  await page.context().setOffline(true)
  await button(page, 'Going').click()
  await expect(page.getByText('Waiting to be sent')).toBeVisible()
  await api(changePing, { params: { id: ping.id }, body: place }, ann)
  await page.context().setOffline(false)
  const question = page.getByRole('region', { name: `${ann.username} changed the place. Still going?` })
  await expect(question).toBeVisible({ timeout: 30_000 })
  const read = async () => ((await api(getPing, { params: { id: ping.id } }, ann)) as Ping).responses
  await expect.poll(read).toMatchObject([{ response_type: 'accepted', revision: 0 }])
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect.poll(read).toMatchObject([{ response_type: 'accepted', revision: 1 }])
  await expect(button(page, 'Going')).toHaveAttribute('aria-pressed', 'true')
})

test('guests with and without an account are asked again', async ({ api, baseURL, browserOf, person }) => {
  test.slow()
  const [ann, eve] = [await person('ann'), await person('eve')]
  const open: Partial<CreatePing> = { is_public: true, guest_policy: 'open', activates_at: startIn(60) }
  const ping = await dropPing(baseURL ?? '', ann, open)
  const [annPage, page, evePage] = [await browserOf(ann), await browserOf(null), await browserOf(eve)]
  for (const either of [annPage, page, evePage]) await either.goto(pathOf(ping))
  await button(page, 'Going').click()
  await page.getByLabel('Your name').fill('Mia')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { name: "You're going" })).toBeVisible()
  await button(evePage, 'Maybe').click()
  await expect(comingOf(annPage)).toContainText(eve.username)

  await api(changePing, { params: { id: ping.id }, body: { activates_at: startIn(90) } }, ann)
  await expect(comingOf(annPage)).toContainText('Mia (guest) (not confirmed)')
  for (const either of [page, evePage]) await either.reload()
  const question = page.getByRole('region', { name: /changed the time to .*\. Still going\?$/ })
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('heading', { name: "You're going" })).toBeFocused()
  await expect(question).toBeHidden()
  const eveQuestion = evePage.getByRole('region', { name: /changed the time to .*\. Are you going\?$/ })
  await eveQuestion.getByRole('button', { name: 'Going' }).click()
  await expect(eveQuestion).toBeHidden()
  await expect(comingOf(annPage)).not.toContainText('(not confirmed)')
  await expect(comingOf(annPage)).toContainText('2 Going')
})
