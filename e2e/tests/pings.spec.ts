import { createPing, type Ping } from '@hither/contract/pings.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import { dropPing, password } from '../people.ts'

const gone = 'Pin not found or has expired'
const pathOf = (ping: Ping) => `/pins/${ping.id}`

test('the owner sees all details on the page of a pin and can delete it', async ({
  api,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const details = { name: 'Coffee at Nero', message: 'Upstairs, call +1 212 555 0147', duration_minutes: 60 as const }
  const ping = await api(createPing, { body: { ...details, latitude: 40.7589, longitude: -73.9851 } }, ann)
  const page = await browserOf(ann)
  await page.goto(pathOf(ping))
  await expect(page.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
  await expect(page.getByText(`by ${ann.username}`)).toBeVisible()
  await expect(page.getByText('You', { exact: true })).toBeVisible()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByText(/^(1h 0|59)m remaining$/)).toBeVisible()
  await expect(page.getByText('Upstairs, call')).toBeVisible()
  await expect(page.getByRole('link', { name: '+1 212 555 0147' })).toHaveAttribute('href', 'tel:+12125550147')
  await expect(page.getByText(/^near .*, New York, US$/)).toBeVisible()
  await expect(page.getByText('No responses yet')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: bob.username })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Are you going?' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Directions' })).toHaveAttribute(
    'href',
    'https://www.google.com/maps/dir/?api=1&destination=40.7589,-73.9851',
  )

  await page.getByRole('button', { name: 'Delete' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Delete Ping?' })
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(confirm).toBeHidden()
  await page.getByRole('button', { name: 'Delete' }).click()
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('No current pins')).toBeVisible()
})

test('an invitee responds, changes and removes the response, and the owner sees each change live', {
  tag: '@quick',
}, async ({ baseURL, browserOf, friends, person }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const page of [annPage, bobPage]) await page.goto(pathOf(ping))
  const [going, maybe] = ['Going', 'Maybe'].map((name) => bobPage.getByRole('button', { name, exact: true })) as [
    ReturnType<typeof bobPage.getByRole>,
    ReturnType<typeof bobPage.getByRole>,
  ]
  await expect(annPage.getByText('No responses yet')).toBeVisible()

  await going.click()
  await expect(going).toHaveAttribute('aria-pressed', 'true')
  await expect(annPage.getByText('1 Going')).toBeVisible()
  await expect(annPage.getByRole('list', { name: "Who's coming" }).getByText(bob.username)).toBeVisible()

  await maybe.click()
  await expect(going).toHaveAttribute('aria-pressed', 'false')
  await expect(annPage.getByText('1 Maybe')).toBeVisible()
  await expect(annPage.getByText('1 Going')).toBeHidden()

  await maybe.click()
  await expect(maybe).toHaveAttribute('aria-pressed', 'false')
  await expect(annPage.getByText('No responses yet')).toBeVisible()
  await expect(bobPage.getByRole('button', { name: 'Delete' })).toBeHidden()
})

test('a response whose removal fails stays, and an error is shown', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 500/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)
  await page.route('**/api/pings/respond/*', (route) =>
    route.fulfill({ status: 500, json: { detail: 'Internal server error (7)' } }),
  )
  await page.goto(pathOf(ping))
  const going = page.getByRole('button', { name: 'Going', exact: true })
  await going.click()
  await expect(page.getByText('1 Going')).toBeVisible()
  await going.click()
  await expect(page.getByRole('alert')).toContainText('Failed to remove response')
  await expect(going).toHaveAttribute('aria-pressed', 'true')
})

test('a refused response is reverted and an error is shown', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 500/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(bob)
  await page.route('**/api/pings/respond', (route) =>
    route.fulfill({ status: 500, json: { detail: 'Internal server error (7)' } }),
  )
  await page.goto(pathOf(ping))
  const going = page.getByRole('button', { name: 'Going', exact: true })
  await going.click()
  await expect(page.getByText('Failed to submit response')).toBeVisible()
  await expect(going).toHaveAttribute('aria-pressed', 'false')
})

test('invitees see the responses of each other only if the owner shows them', async ({
  api,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const body = { name: 'Quiet tea', latitude: 40.7589, longitude: -73.9851, responses_visible: false }
  const ping = await api(createPing, { body }, ann)
  const page = await browserOf(bob)
  await page.goto(pathOf(ping))
  const going = page.getByRole('button', { name: 'Going', exact: true })
  await going.click()
  await expect(going).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('heading', { name: "Who's coming" })).toBeHidden()
})

test('a stranger with the link of a public pin sees the pin, but neither invitees nor responses', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, message: 'Bring a book' })
  const page = await browserOf(eve)
  await page.goto(pathOf(ping))
  await expect(page.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
  await expect(page.getByText('Bring a book')).toBeVisible()
  await expect(page.getByText(bob.username)).toBeHidden()
  for (const name of ['Invited', "Who's coming", 'Are you going?'])
    await expect(page.getByRole('heading', { name })).toBeHidden()
  for (const name of ['Going', 'Delete']) await expect(page.getByRole('button', { name })).toBeHidden()
  await expect(page.getByText('Login to unlock more features')).toBeHidden()
})

test('a visitor with the link of a public pin is asked to sign in, and returns to the pin', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, message: 'Bring a book' })
  const page = await browserOf(null)
  await page.goto(pathOf(ping))
  await expect(page.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
  await expect(page.getByText(`by ${ann.username}`)).toBeVisible()
  await expect(page.getByText('Login to unlock more features')).toBeVisible()
  await expect(page.getByText('Bring a book')).toBeHidden()
  await expect(page.getByText(bob.username)).toBeHidden()

  await page.getByRole('link', { name: 'Login to Respond' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(bob.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(pathOf(ping))
  await expect(page.getByText('Bring a book')).toBeVisible()
  await page.getByRole('button', { name: 'Going', exact: true }).click()
  await expect(page.getByText('1 Going')).toBeVisible()
})

test('a private pin is not found by strangers and visitors, like an unknown address', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 4(04|22)/)
  const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  for (const viewer of [eve, null]) {
    const page = await browserOf(viewer)
    for (const path of [pathOf(ping), '/pins/cut-off']) {
      await page.goto(path)
      await expect(page.getByText(gone)).toBeVisible()
      await expect(page.getByText('Coffee at Nero')).toBeHidden()
      await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
    }
  }
})

test('a pin that its owner deletes disappears from the open page of an invitee', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // A page whose live channel opens at that moment refetches the pin.
  expectConsole(/status of 404/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann)
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const page of [annPage, bobPage]) await page.goto(pathOf(ping))
  await expect(bobPage.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
  await annPage.getByRole('button', { name: 'Delete' }).click()
  await annPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(bobPage.getByText(gone)).toBeVisible()
})

test('a pin expires by the clock and accepts no more responses', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  // The live channel may still be opening when the network fails.
  expectConsole(/ERR_INTERNET_DISCONNECTED/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { duration_minutes: 15 })
  const page = await browserOf(bob)
  await page.clock.install()
  await page.goto(pathOf(ping))
  await expect(page.getByRole('button', { name: 'Going', exact: true })).toBeVisible()
  await expect(page.getByText('15m remaining')).toBeVisible()
  // The page is offline, because a response of the server would correct its clock.
  await page.context().setOffline(true)
  await page.clock.fastForward('15:01')
  await expect(page.getByText('This ping has expired. No new responses can be submitted.')).toBeVisible()
  await expect(page.getByText('Expired', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Going', exact: true })).toBeHidden()
  for (const role of ['link', 'button'] as const)
    await expect(page.getByRole(role, { name: /^(Directions|Share)$/ })).toBeHidden()
})

test('sharing copies the link of the pin', async ({ baseURL, browserOf, person }) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(pathOf(ping))
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Pin link copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}${pathOf(ping)}`)
})

test('sharing shows an error if the clipboard is unavailable', async ({ baseURL, browserOf, person }) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann)
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } })
  })
  await page.goto(pathOf(ping))
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Failed to copy link to clipboard')).toBeVisible()
})

test.describe('with a map', () => {
  test.use({ pages: 'map' })

  test('back returns to the previous page of the app, or to Home if there is none', async ({
    baseURL,
    browserOf,
    person,
  }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
    const page = await browserOf(ann)
    await page.goto(pathOf(ping))
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/')

    await page.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
    await page.getByRole('link', { name: 'See more' }).click()
    await expect(page).toHaveURL(pathOf(ping))
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/')
  })
})

test('a failed load of a pin shows an error, and a retry works', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 400/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
  const page = await browserOf(ann)
  const address = `**/api/pings/${ping.id}`
  // Without live changes the page does not refetch by itself.
  await withoutLiveChannel(page)
  await page.route(address, (route) => route.fulfill({ status: 400, json: { detail: 'Bad request' } }))
  await page.goto(pathOf(ping))
  await expect(page.getByText('Failed to load pin details')).toBeVisible()
  await page.unroute(address)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
})

test('the page of a pin is accessible in both schemes for owner, invitee and visitor', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 4(04|22)/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, message: 'Bring a book' })
  for (const viewer of [ann, bob, null]) {
    const page = await browserOf(viewer)
    await page.goto(pathOf(ping))
    await expect(page.getByRole('heading', { level: 1, name: 'Coffee at Nero' })).toBeVisible()
    if (viewer === bob) await page.getByRole('button', { name: 'Maybe', exact: true }).click()
    await expectAccessible(page)
  }
  const page = await browserOf(null)
  await page.goto('/pins/cut-off')
  await expect(page.getByText(gone)).toBeVisible()
  await expectAccessible(page)
})
