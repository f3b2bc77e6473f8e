import { writeFile } from 'node:fs/promises'
import { respondToPing } from '@hither/contract/pings.ts'
import sharp from 'sharp'
import { taggedPicture } from '../../server/test/pictures.ts'
import { makeDirect, postMessage } from '../conversations.ts'
import { call, dropPing, password } from '../people.ts'
import { openTcpProxy } from '../tcp-proxy.ts'
import { textsIn } from '../texts.ts'
import { expect, test } from './fixtures.ts'
import type { Screen } from './screen.ts'
import { messagesOf, pingsOf } from './server-data.ts'

const mapOf = (screen: Screen) => screen.role('region', 'Map of pins')

async function signIn(screen: Screen, { email }: { readonly email: string }) {
  await screen.label('Email').fill(email)
  await screen.label('Password').fill(password)
  await screen.role('button', 'Sign In').tap()
}

async function writeMessage(screen: Screen, text: string) {
  await screen.role('textbox', 'Type a message...').fill(text)
  await screen.tab.press('Enter')
}

async function openMap(screen: Screen, base: string) {
  await screen.tab.load(base)
  await mapOf(screen).shows()
  await screen.text('Loading map...').isGone()
}

/** Taps the map at the point between 0 and 1 of its width, in its upper part, where no list is. */
async function openNewPin(screen: Screen, name: string, x: number) {
  await mapOf(screen).tap({ x, y: 0.2 })
  const dialog = screen.role('dialog', 'New pin')
  await dialog.label('Name').fill(name)
  return dialog
}

async function jpegFile(path: string): Promise<string> {
  await writeFile(path, await taggedPicture('jpeg', 6))
  return path
}

test('signs up, signs out and signs in', async ({ base, screenOf }) => {
  const screen = await screenOf(null)
  await screen.tab.load(base)
  await screen.role('link', 'Sign Up').tap()
  const username = `ann-${crypto.randomUUID().slice(0, 8)}`
  await screen.label('Username').fill(username)
  await screen.label('Email').fill(`${username}@example.org`)
  await screen.label('Password').fill(password)
  await screen.label('Confirm Password').fill(password)
  await screen.role('button', 'Sign Up').tap()
  await screen.role('button', 'Account menu').tap()
  await screen.role('menuitem', 'Logout').tap()
  await signIn(screen, { email: `${username}@example.org` })
  await screen.role('button', 'Account menu').shows()
  expect(await screen.tab.run(() => location.pathname)).toBe('/')
})

test('Home draws the map, a tap on it drops a pin, and one is scheduled in the date field of the browser', async ({
  base,
  pair,
  screenOf,
}) => {
  const [ann] = await pair()
  const screen = await screenOf(ann)
  await openMap(screen, base)
  await expect.poll(async () => coloursOf(await screen.tab.picture())).toBeGreaterThan(20)
  const first = await openNewPin(screen, 'Coffee at Nero', 0.25)
  await first.role('button', 'Pin Location').tap()
  await screen.role('button', 'You, Coffee at Nero', { part: true }).shows()
  await expect.poll(async () => (await pingsOf(base, ann)).map(({ name }) => name)).toEqual(['Coffee at Nero'])

  const dialog = await openNewPin(screen, 'Lunch', 0.75)
  await dialog.role('button', 'Advanced options').tap()
  await dialog.role('switch', 'Schedule for later').tap()
  await dialog.role('button', 'Tomorrow noon').tap()
  // The keyboard goes from the month over day, year and hour to the minutes.
  await screen.tab.press('Tab')
  for (let part = 0; part < 4; part++) await screen.tab.press('ArrowRight')
  await screen.tab.type('30')
  const field = dialog.label('Starts at')
  await expect.poll(() => field.value()).toMatch(/T12:30$/)
  const chosen = await field.value()
  await dialog.role('button', 'Schedule Ping').tap()
  const lunch = async () => (await pingsOf(base, ann)).find(({ name }) => name === 'Lunch')
  await expect.poll(async () => (await lunch())?.activates_at).toBeDefined()
  const startsAt = await screen.tab.run((local) => new Date(local).toISOString(), chosen)
  expect(new Date((await lunch())?.activates_at ?? '').toISOString()).toBe(startsAt)
})

test('the answer of a friend arrives live', async ({ base, pair, screenOf }) => {
  const [ann, bob] = await pair()
  const ping = await dropPing(base, ann)
  const screen = await screenOf(ann)
  await screen.tab.load(`${base}/pins/${ping.id}`)
  await screen.text('No responses yet').shows()
  await call(base, respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, bob)
  await screen.text('1 Going').shows()
})

test('a message is sent each time after a page load that interrupted the page before', async ({
  base,
  pair,
  screenOf,
}) => {
  const [ann, bob] = await pair()
  const { id } = await makeDirect(base, bob, ann)
  const screen = await screenOf(null)
  await screen.tab.load(`${base}/login`)
  await signIn(screen, ann)
  await expect.poll(() => screen.tab.run(() => localStorage.getItem('access_token') !== null)).toBe(true)
  const sent: string[] = []
  for (const text of ['One', 'Two', 'Three']) {
    await screen.tab.load(`${base}/chat/${id}`)
    await writeMessage(screen, text)
    sent.push(text)
    await screen.text(text).shows()
    await expect.poll(() => messagesOf(base, id, bob)).toEqual(sent)
    await screen.tab.load(base)
  }
})

test('the outbox can be used after a page was left while it wrote to it', async ({ base, pair, screenOf }) => {
  const [ann, bob] = await pair()
  const { id } = await makeDirect(base, bob, ann)
  const screen = await screenOf(ann)
  for (let round = 0; round < 3; round++) {
    await screen.tab.load(`${base}/chat/${id}`)
    await screen.role('textbox', 'Type a message...').shows()
    await screen.tab.run(writeMuchAndLeave, `${base}/favicon.svg?${round}`)
    await expect.poll(() => screen.tab.run(() => location.pathname).catch(() => '')).toBe('/favicon.svg')
    // Never answers if WebKit has blocked the database.
    expect(await screen.tab.run(countStores, 'hither-outbox')).toBe(1)
  }
})

test('a message is answered with a reaction, a quote and a photo', async ({ base, pair, screenOf }, info) => {
  const [ann, bob] = await pair()
  const { id } = await makeDirect(base, bob, ann)
  await postMessage(base, id, 'See you at 8', bob)
  const screen = await screenOf(ann)
  await screen.tab.load(`${base}/chat/${id}`)
  await openMessageMenu(screen, 'See you at 8')
  await screen.role('dialog', 'Message options').role('button', 'thumbs up').tap()
  await screen.role('button', 'You reacted with thumbs up').shows()

  await openMessageMenu(screen, 'See you at 8')
  await screen.role('menuitem', 'Reply').tap()
  await screen.role('group', `Replying to ${bob.username}`).shows()
  await writeMessage(screen, 'Can we say 9?')
  await screen.role('button', `Reply to ${bob.username}: See you at 8`).shows()

  await screen.tab.choose('input[type=file]', await jpegFile(info.outputPath('photo.jpg')))
  const dialog = screen.role('dialog', 'Send a photo')
  await dialog.role('img', 'The photo you chose').shows()
  await dialog.role('button', 'Send').tap()
  await screen.role('button', 'Your photo').shows()
  await postMessage(base, id, 'At 9 then', bob)
  await screen.text('At 9 then').shows()
  await expect.poll(() => messagesOf(base, id, bob)).toEqual(['See you at 8', 'Can we say 9?', '📷 Photo', 'At 9 then'])
})

test('a guest responds by the link of a pin, copies the own link and keeps the response over a reload', async ({
  base,
  person,
  screenOf,
}) => {
  const ping = await dropPing(base, await person('ann'), { is_public: true, guest_policy: 'open' })
  const screen = await screenOf(null)
  await screen.tab.load(`${base}/pins/${ping.id}`)
  await screen.role('button', 'Going').tap()
  await screen.label('Your name').fill('Mia')
  await screen.role('button', 'Send').tap()
  await screen.role('heading', "You're going").shows()
  await screen.tab.reload()
  await screen.role('heading', "You're going").shows()
  await screen.showsDuring('Link copied', () => screen.role('button', 'Copy link').tap())

  await screen.tab.load(`${base}/login`)
  await screen.label('Email').tap()
  await screen.tab.paste()
  await expect.poll(() => screen.label('Email').value()).toContain(`${base}/pins/${ping.id}#guest=`)
})

test('a profile picture is uploaded and shown after a reload', async ({ base, person, screenOf }, info) => {
  const screen = await screenOf(await person('ann'))
  await screen.tab.load(`${base}/profile`)
  await screen.role('button', 'Upload a picture').shows()
  await screen.tab.choose('input[type=file]', await jpegFile(info.outputPath('me.jpg')))
  await screen.role('button', 'Change the picture').shows()
  await screen.tab.reload()
  await screen.role('button', 'Change the picture').shows()
  await expect
    .poll(() =>
      screen.tab.run(() =>
        [...document.querySelectorAll<HTMLImageElement>('main img')].some(({ naturalWidth }) => naturalWidth > 0),
      ),
    )
    .toBe(true)
})

test('a message waits while the server is gone, also over a start without it, and is sent once', async ({
  base,
  pair,
  screenOf,
}) => {
  const [ann, bob] = await pair()
  const { id } = await makeDirect(base, bob, ann)
  await postMessage(base, id, 'See you at 8', bob)
  const line = await openTcpProxy(base)
  try {
    const screen = await screenOf(ann, line.origin)
    await screen.tab.load(`${line.origin}/chat/${id}`)
    await screen.text('See you at 8').shows()
    // The service worker takes over the page when it has stored the app.
    await expect.poll(() => screen.tab.run(() => navigator.serviceWorker.controller !== null)).toBe(true)
    line.goDown()
    await writeMessage(screen, 'On my way')
    await screen.role('img', 'Waiting to be sent').shows()
    await screen.tab.reload()
    await screen.text('On my way').shows()
    await screen.role('img', 'Waiting to be sent').shows()
    expect(await messagesOf(base, id, bob)).toEqual(['See you at 8'])
    line.comeBack()
    await expect.poll(() => messagesOf(base, id, bob)).toEqual(['See you at 8', 'On my way'])
    await screen.role('img', 'Waiting to be sent').isGone()
  } finally {
    line.close()
  }
})

test('the app is shown in Arabic, from right to left, and dark', async ({ base, person, screenOf }) => {
  const screen = await screenOf(await person('ann'))
  await screen.tab.load(`${base}/profile`)
  await screen.role('button', 'Dark').tap()
  await screen.role('button', 'Language', { part: true }).tap()
  await screen.role('dialog', 'Language').role('radio', 'العربية', { part: true }).tap()
  await screen.role('heading', textsIn('ar')('profile.preferences')).shows()
  await screen.tab.reload()
  await screen.role('heading', textsIn('ar')('profile.preferences')).shows()
  const looks = await screen.tab.run(() => ({
    direction: document.documentElement.dir,
    scheme: document.documentElement.dataset['colorScheme'],
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }))
  expect(looks).toEqual({ direction: 'rtl', scheme: 'dark', isTooWide: false })
})

test('a key that cannot be extracted is stored, read back after a reload and used', async ({ base, screenOf }) => {
  const screen = await screenOf(null)
  await screen.tab.load(`${base}/favicon.svg`)
  await screen.tab.run(storeKey)
  await screen.tab.reload()
  expect(await screen.tab.run(useStoredKey)).toEqual({ bits: 256, export: 'InvalidAccessError', areSame: true })
})

async function openMessageMenu(screen: Screen, text: string) {
  await screen.text(text).hover()
  await screen.role('button', 'Message options').tap()
  await screen.role('dialog', 'Message options').shows()
}

/** The number of clearly different colors in the upper part of the page, where the map is. */
async function coloursOf(picture: Buffer): Promise<number> {
  const { data } = await sharp(picture)
    .removeAlpha()
    .extract({ left: 20, top: 120, width: 300, height: 250 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const colours = new Set<number>()
  for (let at = 0; at < data.length; at += 3)
    colours.add((((data[at] ?? 0) >> 4) << 8) | (((data[at + 1] ?? 0) >> 4) << 4) | ((data[at + 2] ?? 0) >> 4))
  return colours.size
}

/** Runs in the page of a conversation. */
async function writeMuchAndLeave(address: string) {
  const field = document.querySelector('textarea:not([aria-hidden])')
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
  for (let count = 0; count < 60; count++) {
    setValue?.call(field, `Message ${count}`)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
    field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    await Promise.resolve()
  }
  setTimeout(() => location.assign(address))
}

/** Counts the object stores of a database in which a transaction completes. Runs in the page. */
async function countStores(name: string) {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const stores = [...database.objectStoreNames]
  const transaction = database.transaction(stores)
  for (const store of stores) transaction.objectStore(store).count()
  await new Promise((resolve) => {
    transaction.oncomplete = resolve
  })
  database.close()
  return stores.length
}

/** Runs in the page. */
async function storeKey() {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  const other = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits({ name: 'ECDH', public: other.publicKey }, privateKey, 256)
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('keys')
    opening.onupgradeneeded = () => opening.result.createObjectStore('keys')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const transaction = database.transaction('keys', 'readwrite')
  transaction.objectStore('keys').put({ privateKey, publicKey: other.publicKey, bits }, 'own')
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve
    transaction.onabort = () => reject(transaction.error)
  })
  database.close()
}

/** Runs in the page. */
async function useStoredKey() {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('keys')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const reading = database.transaction('keys').objectStore('keys').get('own')
  await new Promise((resolve) => {
    reading.onsuccess = resolve
  })
  const stored: { privateKey: CryptoKey; publicKey: CryptoKey; bits: ArrayBuffer } = reading.result
  const { privateKey, publicKey } = stored
  const bits = await crypto.subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256)
  const refusal = await crypto.subtle.exportKey('pkcs8', privateKey).then(
    () => 'exported',
    (error: DOMException) => error.name,
  )
  const before = new Uint8Array(stored.bits)
  return {
    bits: bits.byteLength * 8,
    export: refusal,
    areSame: new Uint8Array(bits).every((byte, at) => byte === before[at]),
  }
}
