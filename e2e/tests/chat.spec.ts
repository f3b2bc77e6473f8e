import {
  addParticipant,
  getConversation,
  markConversationRead,
  removeParticipant,
} from '@hither/contract/messages/messages.ts'
import type { Page } from '@playwright/test'
import { makeDirect, makeGroup, messagesOf, postMessage, textsOf, typeMessage } from '../conversations.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withoutLiveChannel } from '../live-frames.ts'
import type { Person } from '../people.ts'

test('three users chat in a group: all see the same messages in order, and a removed user loses it at once', async ({
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const [annPage, bobPage, catPage] = [await browserOf(ann), await browserOf(bob), await browserOf(cat)]
  for (const page of [annPage, bobPage, catPage]) {
    await page.goto('/chat')
    await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
    await expect(page.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
  }

  await annPage.getByRole('button', { name: 'New chat' }).first().click()
  const dialog = annPage.getByRole('dialog', { name: 'Start New Chat' })
  await dialog.getByRole('switch', { name: 'Create group chat' }).click()
  await dialog.getByLabel('Group name').fill('Lunch')
  await dialog.getByRole('checkbox', { name: bob.username }).click()
  await dialog.getByRole('button', { name: 'Create Group' }).click()
  await expect(dialog.getByText('Group chat requires a name and at least 2 friends')).toBeVisible()
  await dialog.getByRole('checkbox', { name: cat.username }).click()
  await expect(dialog.getByRole('group', { name: 'Selected' }).getByText(cat.username)).toBeVisible()
  await dialog.getByRole('button', { name: 'Create Group' }).click()
  await expect(annPage.getByRole('heading', { name: 'Lunch' })).toBeVisible()
  await expect(annPage.getByText('3 members')).toBeVisible()
  await expect(annPage.getByText('No messages yet. Start the conversation!')).toBeVisible()

  for (const page of [bobPage, catPage]) await page.getByRole('link', { name: /Lunch/ }).click()
  // Typing events are not stored, so those sent before the other user has joined are lost.
  await expect(async () => {
    await annPage.getByRole('textbox').pressSequentially('.')
    await expect(bobPage.getByText(`${ann.username} is typing…`)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await annPage.getByRole('textbox').fill('One')
  await annPage.keyboard.press('Enter')
  for (const page of [bobPage, catPage]) await expect(messagesOf(page).getByText('One')).toBeVisible()
  await expect(bobPage.getByText(`${ann.username} is typing…`)).toBeHidden()
  await typeMessage(bobPage, 'Two')
  await expect(messagesOf(annPage).getByText('Two')).toBeVisible()
  await typeMessage(catPage, 'Three')
  for (const page of [annPage, bobPage, catPage]) {
    await expect.poll(() => textsOf(page)).toEqual(['One', 'Two', 'Three'])
  }
  await expect(messagesOf(annPage).getByText(bob.username)).toBeVisible()
  await expect(messagesOf(annPage).locator('li').first().getByRole('img', { name: 'Read' })).toBeAttached()

  await annPage.getByRole('button', { name: 'Participants' }).click()
  const people = annPage.getByRole('dialog', { name: 'Participants' })
  await expect(people.getByRole('listitem').filter({ hasText: ann.username })).toHaveText(/\(You\).*Admin/)
  await expect(people.getByRole('listitem').filter({ hasText: bob.username })).toHaveText(/Member/)
  await people.getByRole('button', { name: `Remove ${cat.username}` }).click()
  await expect(people.getByRole('listitem')).toHaveCount(2)
  await expect(catPage.getByText('You are no longer in Lunch')).toBeVisible()
  await expect(catPage.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
  await expect(catPage).toHaveURL('/chat')

  await people.getByRole('button', { name: 'Close' }).click()
  await typeMessage(annPage, 'Four')
  await expect(messagesOf(bobPage).getByText('Four')).toBeVisible()
  await expect(bobPage.getByText('2 members')).toBeVisible()
  await expect(catPage.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
})

test('a participant who was offline receives every message once, and their offline messages are sent once', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const group = await makeGroup(baseURL, 'Trip', [bob, cat], ann)
  await postMessage(baseURL, group.id, 'm0', ann)
  const [annPage, bobPage, catPage] = [await browserOf(ann), await browserOf(bob), await browserOf(cat)]
  for (const page of [annPage, bobPage, catPage]) {
    await page.goto(`/chat/${group.id}`)
    await expect.poll(() => textsOf(page)).toContain('m0')
  }

  await bobPage.context().setOffline(true)
  await expect(bobPage.getByText(/You're offline/)).toBeVisible()
  for (const text of ['b1', 'b2', 'b3']) await typeMessage(bobPage, text)
  await expect(messagesOf(bobPage).getByRole('img', { name: 'Waiting to be sent' })).toHaveCount(3)
  await typeMessage(annPage, 'a1')
  await expect.poll(() => textsOf(catPage)).toContain('a1')
  await typeMessage(catPage, 'c1')
  await expect.poll(() => textsOf(annPage)).toContain('c1')

  await bobPage.context().setOffline(false)
  const all = ['m0', 'a1', 'c1', 'b1', 'b2', 'b3']
  for (const page of [bobPage, annPage, catPage]) await expect.poll(() => textsOf(page)).toEqual(all)
  await expect(messagesOf(bobPage).getByRole('img', { name: 'Waiting to be sent' })).toHaveCount(0)
  await bobPage.reload()
  await expect.poll(() => textsOf(bobPage)).toEqual(all)
})

test('messages written offline are sent after the page is reopened', { tag: '@quick' }, async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/Failed to load resource/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  await page.route('**/api/messages/send', (route) => route.abort())
  await page.goto(`/chat/${direct.id}`)
  await typeMessage(page, 'Are you there?')
  await expect(messagesOf(page).getByRole('img', { name: 'Waiting to be sent' })).toBeVisible()
  await page.unroute('**/api/messages/send')
  await page.reload()
  await expect(messagesOf(page).getByRole('img', { name: 'Sent' })).toBeVisible()
  await expect.poll(() => textsOf(page)).toEqual(['Are you there?'])
})

test('messages that two tabs queue at the same time are all sent once, in the order of each tab', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/Failed to load resource/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  const page = await browserOf(ann)
  const other = await page.context().newPage()
  await page.context().route('**/api/messages/send', (route) => route.abort())
  const waiting = (tab: Page) => messagesOf(tab).getByRole('img', { name: 'Waiting to be sent' })
  const rounds = [1, 2, 3, 4, 5]
  for (const tab of [page, other]) {
    await tab.goto(`/chat/${direct.id}`)
    await expect(tab.getByText('No messages yet. Start the conversation!')).toBeVisible()
  }

  // Each round submits in both tabs at the same moment.
  for (const round of rounds) {
    const fields = [page, other].map((tab) => tab.getByRole('textbox', { name: 'Type a message...' }))
    for (const [index, field] of fields.entries()) await field.fill(`${'ab'[index]}${round}`)
    await Promise.all(fields.map((field) => field.press('Enter')))
  }
  for (const tab of [page, other]) await expect(waiting(tab)).toHaveCount(rounds.length * 2)
  await page.reload()
  await expect(waiting(page)).toHaveCount(rounds.length * 2)

  await page.context().unroute('**/api/messages/send')
  for (const tab of [page, other]) await expect(waiting(tab)).toHaveCount(0, { timeout: 40_000 })
  await expect.poll(() => textsOf(page)).toHaveLength(rounds.length * 2)
  const sent = await textsOf(page)
  for (const name of ['a', 'b'])
    expect(sent.filter((text) => text.startsWith(name))).toEqual(rounds.map((round) => `${name}${round}`))
})

test('two friends chat: one conversation, live unread count and order, read marks, links, drafts and deletion', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  await postMessage(baseURL, (await makeDirect(baseURL, cat, ann)).id, 'Hello cat', ann)
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await annPage.goto('/chat')
  await bobPage.goto('/friends')
  await annPage.getByRole('button', { name: 'New chat' }).click()
  const dialog = annPage.getByRole('dialog', { name: 'Start New Chat' })
  await dialog.getByRole('button', { name: 'Start Chat' }).click()
  await expect(dialog.getByText('Please select exactly one friend for direct chat')).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: cat.username })).toHaveText(/Conversation exists/)
  await dialog.getByRole('radio', { name: bob.username }).click()
  await dialog.getByRole('button', { name: 'Start Chat' }).click()

  await annPage.getByRole('button', { name: /Tap to view profile/ }).click()
  const profile = annPage.getByRole('dialog', { name: bob.username })
  await expect(profile.getByText(/Member since/)).toBeVisible()
  await profile.getByRole('button', { name: 'Close' }).click()

  await annPage.getByRole('textbox').fill('See https://example.org/a,')
  await annPage.keyboard.press('Shift+Enter')
  await annPage.keyboard.type('<b>now</b>')
  await annPage.keyboard.press('Enter')
  const link = messagesOf(annPage).getByRole('link', { name: 'https://example.org/a' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(link).toHaveAttribute('href', 'https://example.org/a')
  await expect(messagesOf(annPage).getByText('<b>now</b>')).toBeVisible()
  await expect(messagesOf(annPage).getByRole('img', { name: 'Sent' })).toBeVisible()

  await expect(bobPage.getByRole('link', { name: 'Chat 1 new' })).toBeVisible()
  await typeMessage(annPage, '🎉')
  await bobPage.getByRole('link', { name: 'Chat 2 new' }).click()
  const row = bobPage.getByRole('link', { name: new RegExp(ann.username) })
  await expect(row).toHaveText(new RegExp(`${ann.username}: 🎉.*2 unread`))
  await expect(messagesOf(annPage).getByRole('img', { name: 'Read' })).toHaveCount(0)
  await row.click()
  await expect(messagesOf(annPage).getByRole('img', { name: 'Read' })).toHaveCount(2)
  await expect(bobPage.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
  await bobPage.getByRole('textbox').fill('half a thou')
  await bobPage.reload()
  await expect(bobPage.getByRole('textbox')).toHaveValue('half a thou')

  await messagesOf(annPage).getByText('🎉').click()
  await annPage.getByRole('button', { name: 'Message options' }).last().click()
  await annPage.getByRole('menuitem', { name: 'Delete message' }).click()
  await annPage.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(messagesOf(annPage).getByText('🎉')).toBeHidden()
  await expect(messagesOf(bobPage).getByText('🎉')).toBeHidden()

  await annPage.getByRole('button', { name: 'Back to messages' }).click()
  await expect(annPage.getByRole('listitem')).toHaveText([
    new RegExp(`${bob.username}.*You: See https`),
    new RegExp(`${cat.username}.*You: Hello cat`),
  ])
})

test('a group is renamed, extended, left and deleted by users with permission', async ({
  api,
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of 40[49]/)
  const [ann, bob, cat, dan] = [await person('ann'), await person('bob'), await person('cat'), await person('dan')]
  for (const other of [bob, cat, dan]) await friends(ann, other)
  const group = await makeGroup(baseURL, 'Picnic', [bob, cat], ann)
  const [annPage, bobPage] = [await browserOf(ann), await browserOf(bob)]
  await annPage.goto(`/chat/${group.id}`)
  await bobPage.goto(`/chat/${group.id}`)

  await annPage.getByRole('button', { name: 'More options', exact: true }).click()
  await annPage.getByRole('menuitem', { name: 'Rename group' }).click()
  const name = annPage.getByPlaceholder('Enter new name')
  await expect(name).toBeFocused()
  await name.fill('  ')
  await annPage.keyboard.press('Enter')
  await expect(name).toBeVisible()
  await name.fill('Picnic in the park')
  await annPage.keyboard.press('Enter')
  await expect(bobPage.getByRole('heading', { name: 'Picnic in the park' })).toBeVisible()

  await annPage.getByRole('button', { name: 'Participants' }).click()
  await annPage.getByRole('button', { name: 'Add Participant' }).click()
  const adding = annPage.getByRole('dialog', { name: 'Add Participant' })
  await expect(adding.getByRole('listitem')).toHaveCount(1)
  await adding.getByRole('button', { name: `Add ${dan.username}` }).click()
  await expect(adding.getByText('No friends available to add.')).toBeVisible()
  await adding.getByRole('button', { name: 'Close' }).click()
  await expect(adding).toBeHidden()
  await annPage.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(annPage.getByText('4 members')).toBeVisible()

  await bobPage.getByRole('button', { name: 'More options', exact: true }).click()
  await expect(bobPage.getByRole('menuitem', { name: 'Delete Group' })).toBeHidden()
  await bobPage.getByRole('menuitem', { name: 'Leave Group' }).click()
  // The live row arrives before the response.
  const shown = Promise.withResolvers<void>()
  await bobPage.route('**/leave', async (route) => {
    const response = await route.fetch()
    await shown.promise
    await route.fulfill({ response })
  })
  await bobPage.getByRole('alertdialog').getByRole('button', { name: 'Leave Group' }).click()
  await expect(bobPage.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
  await expect(bobPage.getByText(/You are no longer in/)).toHaveCount(0)
  shown.resolve()
  const { participants } = await api(getConversation, { params: { id: group.id }, query: {} }, ann)
  expect(participants.map(({ username }) => username)).toEqual([ann.username, cat.username, dan.username])

  await annPage.getByRole('button', { name: 'Participants' }).click()
  await annPage.getByRole('button', { name: 'Add Participant' }).click()
  await adding.getByRole('button', { name: `Add ${bob.username}` }).click()
  const refusal = 'They left this group. Only they can come back: send them the address of this chat.'
  await expect(annPage.getByText(refusal)).toBeVisible()
  await adding.getByRole('button', { name: 'Close' }).click()
  await expect(adding).toBeHidden()
  await annPage.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await bobPage.goto(`/chat/${group.id}`)
  await expect(
    bobPage.getByText('You left this group. Nobody can add you again, but you can join again.'),
  ).toBeVisible()
  await bobPage.getByRole('button', { name: 'Join again' }).click()
  await expect(annPage.getByText('4 members')).toBeVisible()
  await expect(bobPage.getByText('4 members')).toBeVisible()

  await annPage.getByRole('button', { name: 'More options', exact: true }).click()
  await annPage.getByRole('menuitem', { name: 'Delete Group' }).click()
  const deleting = annPage.getByRole('alertdialog')
  await expect(deleting.getByRole('button', { name: 'Delete Group' })).toBeDisabled()
  await deleting.getByLabel('I understand that this action is permanent and cannot be undone').check()
  await deleting.getByRole('button', { name: 'Delete Group' }).click()
  await expect(annPage.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
})

test('older messages load on scrolling up without a jump, and a button announces new messages', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const direct = await makeDirect(baseURL, bob, ann)
  for (let count = 1; count <= 120; count++)
    await postMessage(baseURL, direct.id, `message ${count}`, count % 3 === 2 ? ann : bob)
  const page = await browserOf(ann)
  await page.goto(`/chat/${direct.id}`)
  await expect(messagesOf(page).getByText('message 120', { exact: true })).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()

  // The height of a row is estimated until it is rendered and measured.
  await messagesOf(page).evaluate(async (list) => {
    for (let height = -1, still = 0; still < 10; still++) {
      if (list.scrollHeight !== height) still = 0
      height = list.scrollHeight
      await new Promise(requestAnimationFrame)
    }
  })
  let places = await placesOf(page)
  const seen = new Set(places.keys())
  for (let step = 0; step < 60 && !seen.has('message 1'); step++) {
    // Visible messages keep their position when an older page loads, and then move exactly by the scrolled distance.
    expect(await movesBetween(page, places)).toEqual([])
    const scrolled = await messagesOf(page).evaluate((list) => {
      const wanted = Math.min(400, list.scrollTop)
      list.scrollBy(0, -wanted)
      return wanted
    })
    // The next page is still loading at the top.
    if (scrolled === 0) await expect.poll(() => messagesOf(page).evaluate((list) => list.scrollTop)).toBeGreaterThan(0)
    expect(await movesBetween(page, places, scrolled)).toEqual([])
    places = await placesOf(page)
    for (const text of places.keys()) seen.add(text)
  }
  expect([...seen].filter((text) => /^message \d+$/.test(text))).toHaveLength(120)

  const before = await placesOf(page)
  await postMessage(baseURL, direct.id, 'Something new', bob)
  const pill = page.getByRole('button', { name: 'New messages' })
  await expect(pill).toBeVisible()
  expect(await movesBetween(page, before)).toEqual([])
  await expect(page.getByRole('link', { name: 'Chat 1 new' })).toBeVisible()
  await pill.click()
  await expect(messagesOf(page).getByText('Something new')).toBeInViewport()
  await expect(pill).toBeHidden()
  await expect(page.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
})

test('every chat error says what failed, and a retry works where possible', async ({
  baseURL,
  browserOf,
  expectConsole,
  friends,
  person,
}) => {
  expectConsole(/status of (400|403)/)
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const group = await makeGroup(baseURL, 'Choir', [bob, cat], ann)
  const page = await browserOf(ann)
  const refusals = ['**/api/messages/**', '**/api/friends/'] as const
  const refuse = async () => {
    for (const path of refusals) await page.route(path, (route) => route.fulfill({ status: 400, json: { detail: '' } }))
  }
  const allow = async () => {
    for (const path of refusals) await page.unroute(path)
  }

  await refuse()
  // The live channel refetches everything when it opens, which would recover before the button is pressed.
  await withoutLiveChannel(page)
  await page.goto('/chat')
  await expect(page.getByText('Failed to load conversations')).toBeVisible()
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(page.getByRole('dialog').getByText('Failed to load friends')).toBeVisible()
  await allow()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('radio', { name: bob.username }).click()
  await refuse()
  await page.getByRole('button', { name: 'Start Chat' }).click()
  await expect(page.getByRole('alert').getByText(/Failed to start new chat|API Error/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`/chat/${group.id}`)
  await expect(page.getByText('Failed to load messages')).toBeVisible()
  await allow()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible()

  await refuse()
  await typeMessage(page, 'La la la')
  await expect(page.getByText('Failed to send message')).toBeVisible()
  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename group' }).click()
  await page.getByPlaceholder('Enter new name').fill('Band')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Failed to update conversation name')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Participants' }).click()
  await page.getByRole('button', { name: `Remove ${bob.username}` }).click()
  await expect(page.getByText('Failed to remove participant')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Leave Group' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave Group' }).click()
  await expect(page.getByText('Failed to leave conversation')).toBeVisible()
  await page.getByRole('button', { name: 'More options', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete Group' }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Group' }).click()
  await expect(page.getByText('Failed to delete conversation')).toBeVisible()

  await allow()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(messagesOf(page).getByRole('img', { name: 'Sent' })).toBeVisible()
  await expect.poll(() => textsOf(page)).toEqual(['La la la'])
})

test('a user who is added to a group again sees it again, and no other user sees it', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat, eve] = [await person('ann'), await person('bob'), await person('cat'), await person('eve')]
  await friends(ann, bob)
  await friends(ann, cat)
  const group = await makeGroup(baseURL, 'Book club', [bob, cat], ann)
  const [bobPage, evePage] = [await browserOf(bob), await browserOf(eve)]
  await evePage.goto('/chat')
  await bobPage.goto('/chat')
  await expect(bobPage.getByRole('link', { name: /Book club/ })).toBeVisible()
  await api(removeParticipant, member(group.id, bob), ann)
  await expect(bobPage.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
  await api(addParticipant, member(group.id, bob), ann)
  await bobPage.getByRole('link', { name: /Book club/ }).click()
  await postMessage(baseURL, group.id, 'Welcome back', ann)
  await expect(messagesOf(bobPage).getByText('Welcome back')).toBeVisible()
  await expect(evePage.getByText('No conversations yet. Start chatting with your friends!')).toBeVisible()
})

test('chat is accessible in both schemes, on a phone and on a wide screen', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob, cat] = [await person('ann'), await person('bob'), await person('cat')]
  await friends(ann, bob)
  await friends(ann, cat)
  const group = await makeGroup(baseURL, 'Choir', [bob, cat], ann)
  await postMessage(baseURL, group.id, 'Hello https://example.org', bob)
  await postMessage(baseURL, group.id, '🎵', ann)
  const page = await browserOf(ann)
  await page.goto('/chat')
  await expect(page.getByRole('link', { name: /Choir/ })).toBeVisible()
  await page.getByRole('button', { name: 'New chat' }).click()
  await page.getByRole('switch').click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: /Choir/ }).click()
  await expect(messagesOf(page).getByText('🎵')).toBeVisible()
  await expect(page.getByRole('link', { name: /Choir/ })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Participants' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
})

test('a row of the participants accepts a tap right after the list was scrolled', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const ann = await person('ann')
  const others = await Promise.all(['bob', 'cat', 'dan', 'eve', 'fay', 'gus'].map((name) => person(name)))
  for (const other of others) await friends(ann, other)
  const group = await makeGroup(baseURL, 'Choir', others, ann)
  const page = await browserOf(ann)
  await page.setViewportSize({ width: 390, height: 480 })
  await page.goto(`/chat/${group.id}`)
  await page.getByRole('button', { name: 'Participants' }).click()
  const list = page.getByRole('dialog').getByRole('list')
  await expect(list.getByRole('listitem').first()).toBeVisible()
  const hit = await list.evaluate(async (element) => {
    const scrolled = element.parentElement as Element
    const before = scrolled.scrollTop
    scrolled.scrollBy(0, 60)
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    const { left, top, width, height } = scrolled.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return { moved: scrolled.scrollTop > before, isRow: Boolean(found?.closest('li')) }
  })
  expect(hit).toEqual({ moved: true, isRow: true })
})

function member(id: Parameters<typeof postMessage>[1], { session }: Person) {
  return { params: { id }, body: { user_id: session.user.id } }
}

/** The messages that did not move by exactly `byPx`, after two animation frames. */
async function movesBetween(page: Page, before: Map<string, number>, byPx = 0): Promise<string[]> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const now = [...(await placesOf(page))]
  const strayed = now.filter(([text, top]) => Math.abs(top - byPx - (before.get(text) ?? top - byPx)) > 2)
  return strayed.map(([text, top]) => `${text} from ${before.get(text)} to ${top}`)
}

/** The vertical position of each rendered message. */
async function placesOf(page: Page): Promise<Map<string, number>> {
  const places = await messagesOf(page).evaluate((list) =>
    [...list.querySelectorAll('li p')].map((bubble): [string, number] => [
      bubble.firstChild?.textContent ?? '',
      bubble.getBoundingClientRect().top,
    ]),
  )
  return new Map(places)
}

test('a conversation opens at the first unread message, links addresses, and gets the space of the bars while the keyboard is open', async ({
  api,
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await makeDirect(baseURL, ann, bob)
  await postMessage(baseURL, id, 'known', bob)
  await api(markConversationRead, { params: { id } }, ann)
  for (let number = 1; number <= 12; number++) await postMessage(baseURL, id, `new ${number}\n.\n.\n.\n.\n.`, bob)
  await postMessage(baseURL, id, 'www.example.org/menu, +49 30 1234567 or bob@example.org', bob)

  const page = await browserOf(ann, { viewport: { width: 390, height: 844 } })
  await page.goto(`/chat/${id}`)
  const divider = messagesOf(page).getByRole('separator', { name: 'New messages' })
  await expect(divider).toBeInViewport()
  await expect(messagesOf(page).getByText(/new 1\s/)).toBeInViewport()
  await expect(messagesOf(page).getByText(/new 12\s/)).not.toBeInViewport()
  await page.getByRole('button', { name: /New messages|Go to the newest/ }).click()
  for (const [name, href] of [
    ['www.example.org/menu', 'https://www.example.org/menu'],
    ['+49 30 1234567', 'tel:+49301234567'],
    ['bob@example.org', 'mailto:bob@example.org'],
  ] as const)
    await expect(messagesOf(page).getByRole('link', { name })).toHaveAttribute('href', href)
  await expect(page.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()

  await page.getByRole('textbox').click()
  await page.setViewportSize({ width: 390, height: 470 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Hither' })).toBeHidden()
  expect((await messagesOf(page).boundingBox())?.height).toBeGreaterThan(300)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})
