import { getPing, listMyPings, respondToPing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { makeDirect, messageMenu, messagesOf, postMessage, textsOf, typeMessage } from '../conversations.ts'
import { expect, test } from '../fixtures.ts'
import { tapMap } from '../map.ts'
import { dropPing, password } from '../people.ts'

test.use({ pages: 'map' })

const newPinOf = (page: Page) => page.getByRole('dialog', { name: 'New pin' })

test('on a page without HTTPS everything works that needs no HTTPS, and the profile says what does', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/Cross-Origin-Opener-Policy/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const ping = await dropPing(baseURL ?? '', ann, { duration_minutes: 120 })
  const page = await browserOf(null, { baseURL: `http://hither.lan:${new URL(baseURL ?? '').port}` })

  await page.goto('/login')
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'locks' in navigator])).toEqual([
    false,
    false,
    false,
  ])
  await page.getByLabel('Email').fill(bob.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Friends Nearby')).toBeVisible()

  await page.goto(`/chat/${direct.id}`)
  await typeMessage(page, 'On my way')
  await expect.poll(() => textsOf(page)).toEqual(['On my way'])
  await postMessage(baseURL, direct.id, 'See you', ann)
  await expect(messagesOf(page).getByText('See you')).toBeVisible()
  await (await messageMenu(page, 'See you')).getByRole('button', { name: 'thumbs up' }).click()
  await expect(messagesOf(page).getByRole('button', { name: 'You reacted with thumbs up' })).toBeVisible()
  await expect(page.getByText(/You're offline/)).toBeHidden()
  await (await messageMenu(page, 'See you')).getByRole('menuitem', { name: 'Copy' }).click()
  const field = page.getByRole('textbox', { name: 'Type a message...' })
  await field.press('Control+V')
  await expect(field).toHaveValue('See you')
  await field.fill('')

  await page.goto(`/pins/${ping.id}`)
  await page.getByRole('button', { name: 'Going', exact: true }).click()
  await expect
    .poll(async () => (await api(getPing, { params: { id: ping.id } }, ann)) as unknown)
    .toMatchObject({ responses: [{ user_id: bob.session.user.id, response_type: 'accepted' }] })
  await page.getByRole('main').getByRole('button', { name: 'On my way', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'When will you get there?' })
  await sheet.getByRole('button', { name: '10 min', exact: true }).click()
  await expect
    .poll(async () => (await api(getPing, { params: { id: ping.id } }, ann)) as unknown)
    .toMatchObject({ trips: [{ user_id: bob.session.user.id, state: 'en_route' }] })

  await page.goto('/')
  await tapMap(page)
  await page.getByRole('button', { name: 'Save this place' }).click()
  const saving = page.getByRole('dialog', { name: 'Save this place' })
  await saving.getByLabel('Name').fill('Park')
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Place saved')).toBeVisible()
  await newPinOf(page).getByLabel('Name').fill('Chess')
  await newPinOf(page).getByRole('button', { name: 'Pin Location' }).click()
  await expect.poll(async () => (await api(listMyPings, { query: {} }, bob)).map(({ name }) => name)).toEqual(['Chess'])
  const [chess] = await api(listMyPings, { query: {} }, bob)
  // A live change on the page without HTTPS.
  await api(respondToPing, { body: { ping_id: chess?.id ?? ping.id, response_type: 'accepted' } }, ann)
  await expect(page.getByText(`${ann.username} is going`)).toBeVisible()

  await page.goto('/profile')
  await expect(page.getByText(/only over a secure connection \(https\)/)).toBeVisible()
})
