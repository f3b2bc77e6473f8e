import { createCircle } from '@hither/contract/circles.ts'
import { createFriendLink } from '@hither/contract/friend-links.ts'
import { respondToPing } from '@hither/contract/pings.ts'
import type { Page } from '@playwright/test'
import { makeGroup, postMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { call, dropPing, type Person } from '../people.ts'
import { expectToFit, shownTexts, textsIn } from '../texts.ts'

/** A screen and the buttons and menu items that open each of its dialogs and menus, by the keys of their names. */
interface Stop {
  readonly path: string
  readonly dialogs?: readonly (readonly (string | readonly [key: string, values: Readonly<Record<string, string>>])[])[]
}

interface World {
  readonly ann: Person
  readonly stops: readonly Stop[]
  readonly visitorPaths: readonly string[]
  /** What people of this test have written, and the names of the product and of the language. */
  readonly written: readonly string[]
}

const languages = [
  { tag: 'ar', locale: 'ar-EG', query: '' },
  { tag: 'en-XA', locale: 'en-GB', query: '?locale=en-XA' },
  { tag: 'ar-XB', locale: 'en-GB', query: '?locale=ar-XB' },
]

async function makeWorld(base: string, ann: Person, bob: Person, cat: Person): Promise<World> {
  const own = await dropPing(base, ann, { name: 'Chess', is_public: true, guest_policy: 'open' })
  const theirs = await dropPing(base, bob, { name: 'Soup', recipient_ids: [ann.session.user.id] })
  await call(base, respondToPing, { body: { ping_id: theirs.id, response_type: 'accepted' } }, ann)
  const group = await makeGroup(base, 'Climbers', [bob, cat], ann)
  await postMessage(base, group.id, 'Tuesday', bob)
  await call(base, createFriendLink, { body: { kind: 'link', uses: 5, days: 1, note: 'Neighbors' } }, ann)
  await call(base, createCircle, { body: { name: 'Rowers', emoji: null, member_ids: [bob.session.user.id] } }, ann)
  const friend = { name: bob.username }
  const options = 'chat.conversation.options'
  const stops: Stop[] = [
    { path: '/' },
    { path: '/?new=1' },
    { path: '/chat', dialogs: [['chat.newChat'], [['chat.list.options', { name: 'Climbers' }]]] },
    {
      path: `/chat/${group.id}`,
      dialogs: [
        [options],
        ['chat.conversation.participants'],
        [options, 'chat.search.inChat'],
        [options, 'notifications.mute.mute'],
        [options, 'chat.conversation.deleteGroup'],
        ['chat.attach.attach'],
      ],
    },
    { path: '/chat/archived' },
    {
      path: '/friends',
      dialogs: [
        ['friends.addFriend'],
        ['friend-links.code.myCode'],
        [['friends.moreAbout', friend]],
        [['friends.remove', friend]],
        [['friends.moreAbout', friend], 'friends.blockConfirm'],
        [['friends.moreAbout', friend], 'moderation.report.report'],
      ],
    },
    { path: '/friends?tab=received' },
    { path: '/friends/links' },
    { path: '/friends/circles', dialogs: [['circles.newCircle']] },
    {
      path: `/pins/${own.id}`,
      dialogs: [['pings.edit.edit'], ['pings.invite.more'], ['pings.cancel.cancel'], ['pings.endNow']],
    },
    { path: `/pins/${theirs.id}`, dialogs: [['trips.onMyWay']] },
    {
      path: '/profile',
      dialogs: [
        ['profile.about'],
        ['profile.privacy'],
        ['profile.security.changePassword'],
        ['profile.security.deleteAccount'],
        ['profile.signIn.createCodes'],
      ],
    },
    { path: '/nowhere' },
  ]
  return {
    ann,
    stops,
    visitorPaths: ['/login', '/signup', '/forgot-password', '/reset-password', '/confirm', '/add', `/pins/${own.id}`],
    written: [
      ann.email,
      ann.username,
      bob.username,
      cat.username,
      'Chess',
      'Soup',
      'Climbers',
      'Tuesday',
      'Neighbors',
      'Rowers',
      'Hither',
      'English',
    ],
  }
}

/** Opens every screen and dialog, and passes the page and its name to `check`. */
async function walk(
  page: Page,
  tag: string,
  query: string,
  stops: readonly Stop[],
  check: (name: string) => Promise<void>,
) {
  const text = textsIn(tag)
  for (const { path, dialogs = [] } of stops) {
    await page.goto(path.includes('?') ? `${path}${query.replace('?', '&')}` : `${path}${query}`)
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await expect(page.getByRole('heading').or(page.getByRole('dialog')).first()).toBeVisible()
    await check(path)
    for (const [index, names] of dialogs.entries()) {
      for (const name of names) {
        const [key, values] = typeof name === 'string' ? [name, {}] : name
        const exact = { name: text(key, values), exact: true }
        await page.getByRole('button', exact).or(page.getByRole('menuitem', exact)).first().click()
      }
      const opened = page.getByRole('dialog').or(page.getByRole('alertdialog')).or(page.getByRole('menu'))
      await expect(opened.last()).toBeVisible()
      await check(`${path} ${names.map((name) => (typeof name === 'string' ? name : name[0])).join(' ')}`)
      // The last one may be a dialog that only an answer closes.
      if (index === dialogs.length - 1) break
      await page.keyboard.press('Escape')
      await expect(opened).toHaveCount(0)
    }
  }
}

for (const { tag, locale, query } of languages) {
  test(`every screen and dialog fits a width of 320 px in ${tag}`, async ({ baseURL, browserOf, friends, person }) => {
    // About forty screens and dialogs.
    test.slow()
    const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
    for (const friend of [bob, cat]) await friends(ann, friend)
    const { stops, visitorPaths, written } = await makeWorld(baseURL ?? '', ann, bob, cat)
    const options = { locale, viewport: { width: 320, height: 640 } }
    const visit = async (page: Page, places: readonly Stop[]) =>
      walk(page, tag, query, places, async (name) => {
        await expectToFit(page, name)
        if (tag === 'en-XA') await expectBrackets(page, name, written)
        // Other tests check the dialogs with axe. Here it is about the direction of the screens.
        if (tag === 'ar' && name.split(' ').length === 1) await expectAccessible(page)
      })
    await visit(await browserOf(ann, options), stops)
    await visit(
      await browserOf(null, options),
      visitorPaths.map((path) => ({ path })),
    )
  })
}

/** Words of formatted dates, times and durations, which no catalog has. */
const formats =
  /\b((mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(hour|minute|day|month|min|hr)s?|am|pm|at|in|now|today|yesterday)\b/gi

/** The address of a pin, and a recovery code. */
const addressOrCode = /\S+\/pins\/\S+|[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/g

/** Expects that every visible text is from a catalog, which encloses it in brackets in this pseudo-language. */
async function expectBrackets(page: Page, screen: string, written: readonly string[]) {
  const found = (await shownTexts(page)).filter((text) => {
    const rest = written
      .reduce((left, own) => left.replaceAll(own, ''), text)
      // A code may contain the letters of a format, such as AM.
      .replace(addressOrCode, '')
      .replace(formats, '')
    return /\p{L}{3}/u.test(rest) && !/\[.*\]/s.test(rest)
  })
  expect.soft([screen, found]).toEqual([screen, []])
}
