import { changePing, getPing, listMyPings, type OwnPing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { dropPing } from '../people.ts'

const offline = /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection|Failed to load resource/
const pathOf = (ping: Ping) => `/pins/${ping.id}`
const editOf = (page: Page) => page.getByRole('dialog', { name: 'Edit pin' })
const startIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** The value of a `datetime-local` field, in the time zone of the page. */
function localInput(page: Page, at: string): Promise<string> {
  return page.evaluate((at) => {
    const date = new Date(at)
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }, at)
}

/** Expects the content to need no horizontal scrolling. */
async function expectNoSideways(page: Page, box: Locator) {
  const { width } = (await box.boundingBox()) ?? { width: Number.NaN }
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
}

test('the owner edits a scheduled pin, and the dialog shows how many people will get a notification', {
  tag: '@quick',
}, async ({ api, baseURL, browserOf, friends, person }) => {
  // The dialog is checked by axe in two schemes.
  test.slow()
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann, {
    ...{ name: 'Coffee', message: 'Bring a book', address: '1 Times Square', is_public: true },
    ...{ activates_at: startIn(60), duration_minutes: 60 },
  })
  for (const [who, response_type] of [[bob, 'accepted'] as const, [cat, 'tentative'] as const])
    await api(respondToPing, { body: { ping_id: ping.id, response_type } }, who)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const either of [page, bobPage]) await either.goto(pathOf(ping))

  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = editOf(page)
  await expect(dialog.getByLabel('Name')).toHaveValue('Coffee')
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('Bring a book')
  await expect(dialog.getByText('1 Times Square')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: '1 h', exact: true })).toBeChecked()
  await expect(dialog.getByLabel('Starts at')).toHaveValue(await localInput(page, ping.activates_at ?? ''))
  await expect(dialog.getByText('No one will be notified.', { exact: true })).toBeVisible()
  for (const name of ['All friends', 'Start a group chat', 'Schedule for later', 'Add an image'])
    await expect(dialog.getByText(name)).toBeHidden()

  await dialog.getByLabel('Name').fill('Tea')
  await expect(dialog.getByText('No one will be notified.', { exact: true })).toBeVisible()
  await dialog.getByLabel('Starts at').fill(await localInput(page, startIn(90)))
  await expect(dialog.getByText('2 people who are going or maybe will be notified.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Advanced options' }).click()
  await dialog.getByRole('switch', { name: 'Public link' }).click()
  const sentence = '2 people who are going or maybe will be notified. The link stops working for everyone.'
  await expect(dialog.getByText(sentence)).toBeVisible()
  await expectAccessible(page)
  // A phone of 320 pixels, and a window of 1280 × 800 at 200 % zoom.
  for (const [width, height] of [[320, 640] as const, [640, 400] as const]) {
    await page.setViewportSize({ width, height })
    await expectNoSideways(page, dialog)
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 })
  }
  await dialog.getByLabel('Starts at').fill('')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByLabel('Starts at').fill(await localInput(page, startIn(90)))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()
  for (const either of [page, bobPage])
    await expect(either.getByRole('heading', { level: 1, name: 'Tea' })).toBeVisible()
  const saved = (await api(getPing, { params: { id: ping.id } }, ann)) as OwnPing
  expect(saved).toMatchObject({
    name: 'Tea',
    is_public: false,
    revision: 1,
    time_revision: 1,
    address: '1 Times Square',
  })
  expect(Date.parse(saved.expires_at) - Date.parse(saved.activates_at ?? '')).toBe(3_600_000)
})

test('an active pin keeps its times, moves to a place that was searched, and a save without a change sends nothing', async ({
  api,
  baseURL,
  browserOf,
  person,
}) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { address: '1 Times Square', is_public: true })
  const page = await browserOf(ann)
  const sent: unknown[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postDataJSON()))
  await page.goto(pathOf(ping))
  const dialog = editOf(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(dialog.getByLabel('Name')).toBeVisible()
  await expect(dialog.getByText('How long')).toBeHidden()
  await expect(dialog.getByLabel('Starts at')).toBeHidden()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(sent).toEqual([])

  await page.getByRole('button', { name: 'Edit' }).press('Enter')
  await dialog.getByRole('button', { name: 'Search or add an address' }).click()
  await dialog.getByRole('button', { name: 'Search for a place' }).click()
  await dialog.getByRole('combobox', { name: 'Search for a place' }).fill('Hoboken')
  await page
    .getByRole('option', { name: /Hoboken/ })
    .first()
    .click()
  await expect(dialog.getByText('1 Times Square')).toBeHidden()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Changes saved')).toBeVisible()
  const moved = (await api(getPing, { params: { id: ping.id } }, ann)) as OwnPing
  expect(moved).toMatchObject({ address: null, revision: 1, place_revision: 1, time_revision: 0 })
  expect(moved.latitude).not.toBe(ping.latitude)
  expect(sent).toEqual([{ latitude: moved.latitude, longitude: moved.longitude, expected_updated_at: ping.updated_at }])
})

test.describe('with a map', () => {
  test.use({ pages: 'map' })

  test('the pin is moved on the small map, after the page of the pin has drawn its map', async ({
    api,
    baseURL,
    browserOf,
    person,
  }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { is_public: true })
    const page = await browserOf(ann)
    await page.goto(pathOf(ping))
    await expect(page.getByRole('img', { name: /^Map: / })).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    await editOf(page)
      .getByRole('button', { name: /^Move the pin/ })
      .press('ArrowUp')
    await editOf(page).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Changes saved')).toBeVisible()
    const { latitude, longitude } = (await api(getPing, { params: { id: ping.id } }, ann)) as OwnPing
    expect(latitude).toBeGreaterThan(ping.latitude)
    expect(longitude).toBeCloseTo(ping.longitude, 5)
  })
})

test('two devices edit a pin: the second one keeps what was typed, and marks what the first one has changed', async ({
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  test.slow()
  expectConsole(/status of 409/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { name: 'Coffee', message: 'Bring a book', is_public: true })
  const [phone, laptop] = [await browserOf(ann), await browserOf(ann)]
  for (const page of [phone, laptop]) {
    await page.goto(pathOf(ping))
    await page.getByRole('button', { name: 'Edit' }).click()
  }
  const dialog = editOf(laptop)
  await dialog.getByLabel('Name').fill('Lunch')
  await editOf(phone).getByLabel('Name').fill('Tea')
  await editOf(phone).getByLabel('Message (optional)').fill('Bring a friend')
  await editOf(phone).getByRole('button', { name: 'Advanced options' }).click()
  await editOf(phone).getByRole('switch', { name: 'Show responses to all guests' }).click()
  await editOf(phone).getByRole('button', { name: 'Save' }).click()
  await expect(phone.getByText('Changes saved')).toBeVisible()

  await dialog.getByRole('button', { name: 'Save' }).click()
  const conflict = 'This pin was changed on another device. Review the latest version and save again.'
  await expect(dialog.getByRole('alert')).toHaveText(conflict)
  const name = dialog.getByLabel('Name')
  await expect(name).toHaveValue('Lunch')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/Changed on another device\. It's now: Tea/)
  await expect(dialog.getByLabel('Message (optional)')).toHaveValue('Bring a friend')
  await expect(dialog.getByText("It's now: Bring a friend")).toBeVisible()
  const visible = dialog.getByRole('switch', { name: 'Show responses to all guests' })
  await expect(visible).not.toBeChecked()
  await expect(visible).toHaveAccessibleDescription(/It's now: off$/)
  await expectAccessible(laptop)

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(laptop.getByText('Changes saved')).toBeVisible()
  await expect(phone.getByRole('heading', { level: 1, name: 'Lunch' })).toBeVisible()
  await expect(phone.getByText('Bring a friend')).toBeVisible()
})

test('a pin that has started meanwhile shows that and is saved without its times, and one that has ended is not saved', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/status of 409/)
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { is_public: true, activates_at: startIn(60) })
  const page = await browserOf(ann)
  await page.goto(pathOf(ping))
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = editOf(page)
  const started = "This pin has already started, so its start time and duration can't change."
  await page.route(`**/api/pings/${ping.id}`, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json: { detail: started } }) : route.fallback(),
  )
  await dialog.getByLabel('Name').fill('Tea')
  await dialog.getByText('2 h', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(started)
  await expect(dialog.getByText('How long')).toBeHidden()
  await expect(dialog.getByLabel('Name')).toHaveValue('Tea')
  await page.unroute(`**/api/pings/${ping.id}`)
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(Object.keys((await sent).postDataJSON()).sort()).toEqual(['expected_updated_at', 'name'])
  await expect(page.getByText('Changes saved')).toBeVisible()

  const active = await dropPing(baseURL ?? '', ann, { is_public: true })
  await page.goto(pathOf(active))
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Name').fill('Tea')
  await api(changePing, { params: { id: active.id }, body: { end: true } }, ann)
  await expect(page.getByText('Expired', { exact: true })).toBeAttached()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText("This pin has ended and can't be changed.")
  await expect(dialog.getByLabel('Name')).toHaveValue('Tea')
})

test('friends who are not invited are invited, and see the pin at once', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  test.slow()
  const [ann, bob, cat, dan, eve] = await Promise.all(['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => person(name)))
  if (!ann || !bob || !cat || !dan || !eve) throw new Error('Too few people')
  for (const friend of [bob, cat, dan, eve]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann, { recipient_ids: [bob.session.user.id] })
  const [page, bobPage, catPage] = [await browserOf(ann), await browserOf(bob), await browserOf(cat)]
  for (const either of [page, bobPage]) await either.goto(pathOf(ping))
  await catPage.goto('/')
  await expect(catPage.getByText('No friends are sharing any pins nearby')).toBeAttached()

  await page.getByRole('button', { name: 'Invite more' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite more' })
  await expect(dialog.getByRole('checkbox')).toHaveCount(3)
  await expect(dialog.getByText(bob.username)).toBeHidden()
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(dialog.getByText('Please select at least one friend to notify.')).toBeVisible()
  await dialog.getByLabel(cat.username).check()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page, dialog)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText(`Invited ${cat.username}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invite more' })).toBeFocused()
  await expect(catPage.getByRole('button', { name: /^Coffee at Nero/ })).toBeAttached()
  // The row of the pin names no recipients, so the page of an invitee reads it again.
  await expect(bobPage.getByText(cat.username)).toBeVisible()

  await page.getByRole('button', { name: 'Invite more' }).click()
  for (const friend of [dan, eve]) await dialog.getByLabel(friend.username).check()
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText('Invited 2 friends')).toBeVisible()
  await page.getByRole('button', { name: 'Invite more' }).click()
  await expect(dialog.getByText('All your friends are already invited.')).toBeVisible()
})

test('a removed person loses the pin on every screen, and can be invited again', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  test.slow()
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann)
  for (const who of [bob, cat]) await api(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, who)
  const [page, bobPage, bobHome, catPage] = [
    await browserOf(ann),
    await browserOf(bob),
    await browserOf(bob),
    await browserOf(cat),
  ]
  for (const either of [page, bobPage, catPage]) await either.goto(pathOf(ping))
  await bobHome.goto('/')
  await expect(bobHome.getByRole('button', { name: /^Coffee at Nero/ })).toBeAttached()
  await expect(bobPage.getByRole('button', { name: `Remove ${cat.username}` })).toBeHidden()

  const opener = page.getByRole('button', { name: `Remove ${bob.username}` })
  await opener.click()
  const dialog = page.getByRole('alertdialog', { name: `Remove ${bob.username}?` })
  await expect(dialog.getByText(`${bob.username} won't see this pin anymore. We won't notify them.`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(opener).toBeFocused()
  await opener.press('Enter')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(opener).toBeHidden()
  await expect(bobPage.getByText('Pin not found or has expired')).toBeVisible()
  await expect(bobHome.getByRole('button', { name: /^Coffee at Nero/ })).toBeHidden()
  const coming = (either: Page) => either.getByRole('list', { name: "Who's coming" })
  for (const either of [page, catPage]) {
    await expect(coming(either)).toContainText('1 Going')
    await expect(coming(either)).not.toContainText(bob.username)
  }
  await expect(catPage.getByText(bob.username)).toBeHidden()

  await page.getByRole('button', { name: 'Invite more' }).click()
  await page.getByLabel(bob.username).check()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(bobHome.getByRole('button', { name: /^Coffee at Nero/ })).toBeAttached()
  await expect(bobPage.getByRole('button', { name: 'Going', exact: true })).toBeVisible()
})

test('a canceled pin says why on every open page, also if it was scheduled', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  test.slow()
  expectConsole(/status of 404/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann, { activates_at: startIn(60) })
  for (const [who, response_type] of [[bob, 'accepted'] as const, [cat, 'declined'] as const])
    await api(respondToPing, { body: { ping_id: ping.id, response_type } }, who)
  const [page, bobPage] = [await browserOf(ann), await browserOf(bob)]
  for (const either of [page, bobPage]) await either.goto(pathOf(ping))

  await page.getByRole('button', { name: 'Cancel pin' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this pin?' })
  await expect(dialog.getByText('1 person who is going or maybe will be notified.')).toBeVisible()
  const message = dialog.getByLabel('Message (optional)')
  await message.fill('x'.repeat(201))
  await dialog.getByRole('button', { name: 'Cancel pin' }).click()
  await expect(dialog.getByText('The message must be 200 characters or less.')).toBeVisible()
  await message.fill('  It rains. Next week?  ')
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSideways(page, dialog)
  await dialog.getByRole('button', { name: 'Keep pin' }).click()
  await expect(page.getByRole('button', { name: 'Cancel pin' })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel pin' }).press('Enter')
  await expect(message).toHaveValue('')
  await message.fill('  It rains. Next week?  ')
  await dialog.getByRole('button', { name: 'Cancel pin' }).click()
  await expect(page.getByText('Pin canceled')).toBeVisible()
  for (const either of [page, bobPage]) {
    await expect(either.getByText(`${ann.username} canceled this pin.`)).toBeVisible()
    await expect(either.getByText('It rains. Next week?')).toBeVisible()
    await expect(either.getByText('Canceled', { exact: true })).toBeVisible()
    await expect(either.getByText(/^Activated: /)).toBeHidden()
    await expect(either.getByRole('button', { name: /^(Going|Edit|Invite more|Cancel pin|Remove)/ })).toBeHidden()
  }
  await expectAccessible(bobPage)
  await page.goto('/')
  await page.getByRole('button', { name: 'My Pins' }).click()
  await expect(page.getByRole('button', { name: /^Coffee at Nero\s*Canceled/ })).toBeDisabled()
})

test('the question before a deletion leads to the cancellation if somebody is coming', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  for (const friend of [bob, cat]) await friends(ann, friend)
  const ping = await dropPing(baseURL ?? '', ann)
  const page = await browserOf(ann)
  await page.goto('/')
  await page.getByRole('button', { name: 'My Pins' }).click()
  const opener = page.getByRole('button', { name: 'Delete Coffee at Nero' })
  await opener.click()
  const question = page.getByRole('alertdialog', { name: 'Delete Ping?' })
  await expect(question).toBeVisible()
  await expect(question.getByRole('button', { name: /instead$/ })).toBeHidden()
  for (const [who, response_type] of [[bob, 'accepted'] as const, [cat, 'tentative'] as const])
    await api(respondToPing, { body: { ping_id: ping.id, response_type } }, who)
  await question.getByRole('button', { name: 'Cancel and notify 2 people instead' }).click()
  await expect(question).toBeHidden()
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this pin?' })
  await expect(dialog.getByText('2 people who are going or maybe will be notified.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep pin' }).click()
  await expect(opener).toBeFocused()
  await opener.click()
  await question.getByRole('button', { name: 'Cancel and notify 2 people instead' }).click()
  await dialog.getByRole('button', { name: 'Cancel pin' }).click()
  await expect(page.getByText('Pin canceled')).toBeVisible()
  expect(await api(listMyPings, { query: {} }, ann)).toMatchObject([{ status: 'expired', cancel_message: null }])
})

test('offline the owner can change nothing, and reads why', async ({
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
  const page = await browserOf(ann)
  await page.goto(pathOf(ping))
  const note = "You're offline. Connect to make changes."
  await page.getByRole('button', { name: 'Edit' }).click()
  await editOf(page).getByLabel('Name').fill('Tea')
  await page.context().setOffline(true)
  await expect(editOf(page).getByText(note)).toBeVisible()
  await expect(editOf(page).getByRole('button', { name: 'Save' })).toBeDisabled()
  await editOf(page).getByRole('button', { name: 'Close' }).click()
  await expect(editOf(page)).toBeHidden()
  await expect(page.getByText(note)).toBeVisible()
  for (const name of ['Edit', 'Invite more', 'Cancel pin', `Remove ${bob.username}`]) {
    const button = page.getByRole('button', { name })
    await expect(button).toBeDisabled()
    await button.press('Enter')
  }
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveAccessibleDescription(note)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expectAccessible(page)
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: 'Edit' })).toBeEnabled()
  await expect(page.getByText(note)).toBeHidden()
})
