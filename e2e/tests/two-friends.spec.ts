import { expect, test } from '../fixtures.ts'
import { mapOf, tapMap } from '../map.ts'
import { password } from '../people.ts'

test.use({ pages: 'complete' })

test('two users sign up, become friends, and one responds to the pin of the other', { tag: '@quick' }, async ({
  browserOf,
}) => {
  const [ann, bob] = ['ann', 'bob'].map((name) => `${name}-${crypto.randomUUID().slice(0, 8)}`) as [string, string]
  const [annPage, bobPage] = [await browserOf(null), await browserOf(null)]
  for (const [page, username] of [
    [annPage, ann],
    [bobPage, bob],
  ] as const) {
    await page.goto('/')
    await expect(page).toHaveURL('/login')
    await page.getByRole('link', { name: 'Sign Up' }).click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Email').fill(`${username}@example.org`)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByText('No friends are sharing any pins nearby')).toBeAttached()
  }

  await bobPage.getByRole('link', { name: /Friends/ }).click()
  await bobPage.getByRole('button', { name: 'Add Friend' }).first().click()
  await bobPage.getByRole('dialog').getByLabel('Username').fill(ann)
  await bobPage.getByRole('button', { name: 'Search' }).click()
  await bobPage.getByRole('button', { name: 'Send Friend Request' }).click()
  await expect(bobPage.getByText('Friend request sent!')).toBeVisible()
  await expect(bobPage.getByRole('dialog')).toBeHidden()

  await annPage.getByRole('link', { name: /Friends.*1/ }).click()
  await annPage.getByRole('tab', { name: /Received/ }).click()
  await annPage.getByRole('button', { name: /Accept/ }).click()
  await expect(annPage.getByText('No pending friend requests')).toBeVisible()

  await bobPage.getByRole('link', { name: 'Home' }).click()
  await annPage.getByRole('link', { name: 'Home' }).click()
  await tapMap(annPage)
  const dialog = annPage.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Coffee at Nero')
  await expect(dialog.getByText('14/50')).toBeVisible()
  await expect(dialog.getByText(/1 friend, until/)).toBeVisible()
  await expect(mapOf(bobPage)).toBeVisible()

  const requested: string[] = []
  bobPage.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const began = Date.now()
  await dialog.getByRole('button', { name: 'Pin Location' }).click()
  const pin = bobPage.getByRole('button', { name: new RegExp(`^${ann}, Coffee at Nero, 30 minutes left`) })
  await expect(pin).toBeVisible()
  process.stdout.write(`  the friend's browser showed the pin ${Date.now() - began} ms after the tap\n`)
  await expect(bobPage.getByRole('heading', { name: /Friends Nearby\s*1/ })).toBeAttached()
  await expect(annPage.getByRole('button', { name: /^You, Coffee at Nero/ })).toBeVisible()
  await expect(annPage.getByText('1 active, 0 scheduled')).toBeAttached()

  // The live row is enough.
  expect(requested.filter((path) => path.startsWith('/api/pings'))).toEqual([])

  await pin.click()
  const card = bobPage.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(card.getByText(`by ${ann}`)).toBeVisible()
  await expect(card.getByText('Active')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Directions' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Share' })).toBeVisible()
  await expect(card.getByRole('link', { name: `Message ${ann}` })).toBeVisible()
  await card.getByRole('button', { name: 'Going' }).click()
  await expect(card.getByRole('button', { name: 'Going' })).toHaveAttribute('aria-pressed', 'true')

  await annPage.getByRole('button', { name: /^You, Coffee at Nero/ }).click()
  const ownCard = annPage.getByRole('dialog', { name: 'Coffee at Nero' })
  await expect(ownCard.getByText('You', { exact: true })).toBeVisible()
  await expect(ownCard.getByText('1 Going')).toBeVisible()
  await expect(ownCard.getByText(bob, { exact: true })).toBeVisible()

  await card.getByRole('button', { name: 'Maybe' }).click()
  await expect(ownCard.getByText('1 Maybe')).toBeVisible()
  await card.getByRole('button', { name: 'Maybe' }).click()
  await expect(ownCard.getByText('No responses yet')).toBeVisible()
  await ownCard.getByRole('link', { name: `Message ${bob}` }).click()
  await expect(annPage).toHaveURL(/\/chat\/[0-9a-f-]{36}$/)
})
