import { listFriends, removeFriend } from '@hither/contract/friends.ts'
import { createConversation } from '@hither/contract/messages/messages.ts'
import { changePing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { call, dropPing } from '../people.ts'
import { recordRequests } from '../recorded-requests.ts'

test.use({ pages: 'map' })

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })
const againOf = (page: Page, name: string) => page.getByRole('link', { name: `Drop again: ${name}` })

async function openMyPins(page: Page) {
  await page.goto('/')
  await page.getByRole('button', { name: /^My Pins/ }).click()
}

test('an active pin is dropped again from My Pins with everything but its picture and its schedule', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const base = baseURL ?? ''
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const people = [bob.session.user.id, cat.session.user.id]
  const first = await dropPing(base, ann, {
    name: 'Chess',
    message: 'Bring a board',
    address: 'Bryant Park',
    duration_minutes: 60,
    recipient_ids: people,
    responses_visible: false,
    exact_place_for: 'going',
    area_km: 5,
  })
  const chat = { name: 'Chess Chat', participant_ids: people, ping_id: first.id, system_created: true }
  await call(base, createConversation, { body: chat }, ann)
  const page = await browserOf(ann)
  await withoutLiveChannel(page)
  await openMyPins(page)
  await expect(againOf(page, 'Chess')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const requests = recordRequests(page)
  await againOf(page, 'Chess').click()
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toHaveValue('Chess')
  await expect(page).toHaveURL(/\/$/)
  await expect(dialogOf(page).getByLabel('Message (optional)')).toHaveValue('Bring a board')
  await expect(dialogOf(page).getByText('Bryant Park')).toBeVisible()
  await expect(dialogOf(page).getByRole('radio', { name: '1 h' })).toBeChecked()
  await expect(dialogOf(page).getByRole('radio', { name: 'Only people who are going' })).toBeChecked()
  await expect(dialogOf(page).getByRole('switch', { name: 'Start a group chat' })).toBeChecked()
  await expect(dialogOf(page).getByRole('switch', { name: 'Schedule for later' })).not.toBeChecked()
  await expect(dialogOf(page).getByText(/left out\.$|public link is off/)).toHaveCount(0)
  await expectAccessible(page)
  expect(requests.others()).toEqual([])

  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText('2 active, 0 scheduled', { exact: true })).toBeVisible()
  const { recipient_ids, ...body } = requests.pings()[0] ?? {}
  expect(body).toMatchObject({
    name: 'Chess',
    message: 'Bring a board',
    address: 'Bryant Park',
    latitude: first.latitude,
    longitude: first.longitude,
    duration_minutes: 60,
    is_public: false,
    responses_visible: false,
    exact_place_for: 'going',
    area_km: 5,
  })
  expect(new Set(recipient_ids as string[])).toEqual(new Set(people))
})

test('an expired pin is dropped again from its page without former friends', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const base = baseURL ?? ''
  const [ann, bob, cat, dan] = [await person('ann'), await person('bob'), await person('cat'), await person('dan')]
  for (const friend of [bob, cat, dan]) await friends(ann, friend)
  const people = [bob, cat, dan].map(({ session }) => session.user.id)
  const ping = await dropPing(base, ann, { name: 'Chess', recipient_ids: people })
  await call(base, changePing, { params: { id: ping.id }, body: { end: true } }, ann)
  const friendships = await call(base, listFriends, {}, ann)
  const end = async (username: string) => {
    const id = friendships.find((friend) => friend.username === username)?.id
    if (id !== undefined) await call(base, removeFriend, { params: { id } }, ann)
  }
  await end(cat.username)
  await end(dan.username)
  const page = await browserOf(ann)
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('link', { name: 'Drop again' }).click()
  await expect(dialogOf(page).getByText("2 people aren't your friends anymore and were left out.")).toBeVisible()
  await expect(dialogOf(page).getByText(/^1 friend, until/)).toBeVisible()
  await expectAccessible(page)
  await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).click()

  await end(bob.username)
  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('link', { name: 'Drop again' }).click()
  await expect(dialogOf(page).getByText("3 people aren't your friends anymore and were left out.")).toBeVisible()
  await expect(dialogOf(page).getByText('Please select at least one friend to notify.').first()).toBeHidden()
  await expect(dialogOf(page).getByRole('button', { name: 'Pin Location' })).toBeDisabled()
})

test('a public pin is dropped again without its public link', async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann, { name: 'Street party', is_public: true, exact_place_for: 'everyone' })
  const page = await browserOf(ann)
  const requests = recordRequests(page)
  await openMyPins(page)
  await againOf(page, 'Street party').click()
  await expect(dialogOf(page).getByText('The public link is off for this pin.')).toBeVisible()
  await expect(dialogOf(page).getByText(/^1 friend, until/)).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect(page.getByText(/^Shared with 1 friend until/)).toBeVisible()
  expect(requests.pings()).toMatchObject([{ name: 'Street party', is_public: false }])
  expect(requests.pings()[0]).not.toHaveProperty('recipient_ids')
})

test('the buttons fit a screen of 320 px', async ({ baseURL, browserOf, person }) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { name: 'W'.repeat(50), is_public: true })
  const page = await browserOf(ann, { viewport: { width: 320, height: 640 } })
  await openMyPins(page)
  await expect(againOf(page, ping.name)).toBeVisible()
  const isScrolling = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  expect(await page.evaluate(isScrolling)).toBe(false)
  await expectAccessible(page)
  await againOf(page, ping.name).click()
  await expect(dialogOf(page)).toBeVisible()
  expect(await page.evaluate(isScrolling)).toBe(false)
})
