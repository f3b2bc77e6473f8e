import type { Page } from '@playwright/test'
import { test as base, expect, expectAccessible } from '../fixtures.ts'
import { NativeError, NativePhone } from '../native-phone.ts'
import { dropPing, type Person, password } from '../people.ts'

interface Fixtures {
  /** A phone with the app installed and not started. */
  phone: NativePhone
  /** A phone on which the server is already chosen and this user is signed in. */
  phoneOf(person: Person | null): NativePhone
}

const test = base.extend<Fixtures>({
  phone: async ({ browser }, use) => {
    const phone = new NativePhone(browser)
    await use(phone)
    await phone.stop()
  },
  phoneOf: async ({ phone, baseURL }, use) => {
    await use((person) => {
      phone.preferences.set('installed', 'yes').set('server', baseURL ?? '')
      if (person !== null) phone.keyStore.set(sessionKey, storedSession(baseURL ?? '', person))
      return phone
    })
  },
})

const sessionKey = 'capacitor-storage_session'

function storedSession(server: string, { session }: Person): string {
  const { access_token, refresh_token, expires_at, user } = session
  const values = { access_token, refresh_token, expires_at: String(expires_at), user: JSON.stringify(user) }
  return JSON.stringify({ server, values })
}

const elsewhere = 'https://hither.example.org'

/** Makes the test server available at an address as in links. */
function moveTo(phone: NativePhone, address: string, person: Person, base: string): void {
  phone.hosts.set(address, base)
  phone.preferences.set('server', address)
  phone.keyStore.set(sessionKey, storedSession(address, person))
}

const home = (page: Page) => page.getByText('My Pins')
const friendsHeading = (page: Page) => page.getByRole('heading', { name: 'Friends', level: 1 })
/** Starts the app on a screen without the map. */
const startOnFriends = (phone: NativePhone) => phone.start({}, '/friends')
const signIn = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' })
const question = (page: Page) => page.getByRole('heading', { name: 'Choose a server' })

/** The parts of the session in storage that scripts of the page can read. */
const storedInPage = (page: Page) =>
  page.evaluate(() => ['access_token', 'refresh_token', 'user'].filter((key) => localStorage.getItem(key) !== null))

test.describe('the server of the packaged app', () => {
  test('is requested first, stored, and used from then on', async ({ phone, person, baseURL }) => {
    const ann = await person('ann')
    const server = baseURL ?? ''
    const page = await phone.start()
    await expect(question(page)).toBeVisible()
    await expect(page.getByText("Hither is self-hosted. Enter your server's address.")).toBeVisible()
    await expectAccessible(page)
    const address = page.getByLabel('Server address')
    const submit = page.getByRole('button', { name: 'Continue' })

    for (const wrong of ['', 'http://hither.example.org', 'ann:secret@hither.example.org']) {
      await address.fill(wrong)
      await submit.click()
      await expect(page.getByText('Enter an address such as hither.example.org.')).toBeVisible()
    }
    await address.fill('http://127.0.0.1:1')
    await submit.click()
    await expect(page.getByText('Hither cannot be reached.')).toBeVisible()
    await page
      .context()
      .route('https://other.example.org/**', (route) =>
        route.fulfill({ json: { hello: 'world' }, headers: { 'access-control-allow-origin': 'https://localhost' } }),
      )
    await address.fill('other.example.org')
    await submit.click()
    await expect(page.getByText('There is no Hither server at this address.')).toBeVisible()
    expect([...phone.preferences.keys()]).toEqual(['installed'])

    await address.fill(`${server}/login`)
    await submit.click()
    await expect(signIn(page)).toBeVisible()
    await expect(page.getByText(`Server: ${new URL(server).host}`)).toBeVisible()
    await expectAccessible(page)
    expect(phone.preferences.get('server')).toBe(server)

    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const live = page.waitForEvent('websocket')
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(home(page)).toBeVisible()
    expect((await live).url()).toContain(server.replace('http', 'ws'))
    expect(asked.filter((url) => url.startsWith(`${server}/api/`))).not.toEqual([])
    expect(asked.filter((url) => url.startsWith('https://localhost/api'))).toEqual([])

    await expect(friendsHeading(await startOnFriends(phone))).toBeVisible()
  })

  test('does not receive the session of another server after a change', async ({ phoneOf, person, baseURL }) => {
    const ann = await person('ann')
    const server = baseURL ?? ''
    const phone = phoneOf(ann)
    let page = await startOnFriends(phone)
    await expect(friendsHeading(page)).toBeVisible()

    // Changes the stored server without the app.
    const other = server.replace('127.0.0.1', 'localhost')
    phone.preferences.set('server', other)
    page = await phone.start()
    await expect(signIn(page)).toBeVisible()
    expect(phone.keyStore.size).toBe(0)
  })

  test('can be changed on the sign-in page', async ({ phoneOf, baseURL }) => {
    const server = baseURL ?? ''
    const other = server.replace('127.0.0.1', 'localhost')
    const phone = phoneOf(null)
    const page = await phone.start()
    await page.getByRole('link', { name: 'Change' }).click()
    await expect(question(page)).toBeVisible()
    await expect(page.getByLabel('Server address')).toHaveValue(server)
    await page.getByLabel('Server address').fill(other)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText(`Server: ${new URL(other).host}`)).toBeVisible()
    expect(phone.preferences.get('server')).toBe(other)
  })

  test('is the origin of the page in a browser', async ({ browserOf }) => {
    const page = await browserOf(null)
    await page.goto('/server')
    await expect(signIn(page)).toBeVisible()
    await expect(page.getByText('Server:')).toBeHidden()
  })
})

test.describe('the session of the packaged app', () => {
  test('is stored only in the key store and removed on sign-out', async ({ phoneOf, person }) => {
    const ann = await person('ann')
    const phone = phoneOf(null)
    let page = await phone.start()
    await expect(signIn(page)).toBeVisible()
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(home(page)).toBeVisible()
    expect(phone.keyStore.get(sessionKey)).toContain('refresh_token')
    expect(await storedInPage(page)).toEqual([])
    expect([...phone.preferences.values()].join()).not.toContain('token')

    page = await startOnFriends(phone)
    await expect(friendsHeading(page)).toBeVisible()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(signIn(page)).toBeVisible()
    await expect.poll(() => phone.keyStore.size).toBe(0)
    page = await phone.start()
    await expect(signIn(page)).toBeVisible()
  })

  test('of a previous installation is discarded', async ({ phoneOf, person }) => {
    const phone = phoneOf(await person('ann'))
    phone.preferences.delete('installed')
    const page = await phone.start()
    await expect(signIn(page)).toBeVisible()
    expect(phone.keyStore.size).toBe(0)
    expect(phone.preferences.get('installed')).toBe('yes')
  })

  test('is discarded if the key store cannot read it', async ({ phoneOf, person }) => {
    const phone = phoneOf(await person('ann'))
    phone.answer('SecureStorage.internalGetItem', () => {
      throw new NativeError('The key is gone', 'osError')
    })
    await expect(signIn(await phone.start())).toBeVisible()
  })

  test('is updated in the key store on refresh', async ({ phoneOf, person }) => {
    const ann = await person('ann')
    const { session } = ann
    const phone = phoneOf({ ...ann, session: { ...session, access_token: 'outdated' } })
    const before = phone.keyStore.get(sessionKey)
    await expect(friendsHeading(await startOnFriends(phone))).toBeVisible()
    await expect.poll(() => phone.keyStore.get(sessionKey)).not.toBe(before)
    expect(phone.keyStore.get(sessionKey)).not.toContain(session.refresh_token)
  })
})

test.describe('the position of the phone', () => {
  const refused = 'Could not get your location. Location access was denied. Please enable location permissions.'

  test('is requested only when the user asks for it, a denial shows what to do, and then it is shown', async ({
    phoneOf,
    person,
  }) => {
    const phone = phoneOf(await person('ann'))
    phone.answer('Geolocation.getCurrentPosition', () => {
      throw new NativeError('Location permission request was denied.', 'OS-PLUG-GLOC-0003')
    })
    const page = await phone.start()
    await expect(home(page)).toBeVisible()
    expect(phone.asked('Geolocation.getCurrentPosition')).toEqual([])
    const recenter = page.getByRole('button', { name: 'Refresh and recenter map' })
    await recenter.click()
    await expect(page.getByText(refused).first()).toBeVisible()

    phone.answer('Geolocation.getCurrentPosition', () => ({
      timestamp: 1,
      coords: { latitude: 40.7033, longitude: -74.017, accuracy: 5 },
    }))
    const notice = page.getByRole('dialog', { name: 'Location services are off' })
    await notice.getByRole('button', { name: 'Got it' }).click()
    await expect(notice).toBeHidden()
    await recenter.click()
    await expect(page.getByRole('button', { name: /^You are here/ })).toBeVisible()
    const request = { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 }
    expect(phone.asked('Geolocation.getCurrentPosition')).toEqual([request, request])
  })
})

test.describe('a deep link', () => {
  test('opens its pin when it launches the app or reaches the running app, and one of another host is ignored', async ({
    phoneOf,
    person,
    baseURL,
  }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup at noon', is_public: true })
    const phone = phoneOf(ann)
    moveTo(phone, elsewhere, ann, baseURL ?? '')
    phone.launchUrl = `https://hither.example.org/pins/${ping.id}?from=mail`
    const page = await phone.start()
    await expect(page).toHaveURL(`https://localhost/pins/${ping.id}`)
    await expect(page.getByText('Soup at noon').first()).toBeVisible()
    await phone.emit('App', 'backButton', { canGoBack: true })
    await expect(home(page)).toBeVisible()

    const other = crypto.randomUUID()
    for (const link of [
      `https://evil.example.org/pins/${other}`,
      `https://hither.example.org@evil.example.org/pins/${other}`,
      `http://hither.example.org/pins/${other}`,
      `app.hither.mobile://hither.example.org/pins/${other}`,
      'https://hither.example.org/reset-password?token=1',
      'javascript:alert(1)',
    ])
      await phone.emit('App', 'appUrlOpen', { url: link })
    await phone.emit('App', 'appUrlOpen', { url: `https://hither.example.org/pins/${ping.id}` })
    await expect(page).toHaveURL(`https://localhost/pins/${ping.id}`)
    await expect(page.getByText('Soup at noon').first()).toBeVisible()
    await phone.emit('App', 'backButton', { canGoBack: true })
    await expect(page).toHaveURL('https://localhost/')

    // The phone still reports the launch link after a reload, but it was not clicked again.
    await page.goto('https://localhost/friends')
    await expect(friendsHeading(page)).toBeVisible()
    await expect(page).toHaveURL('https://localhost/friends')
  })
})

test('the back button closes a dialog, then navigates back, then minimizes the app', async ({ phoneOf, person }) => {
  const phone = phoneOf(await person('ann'))
  const page = await phone.start()
  await expect(home(page)).toBeVisible()
  await page.getByRole('link', { name: 'Friends' }).click()
  await page.getByRole('button', { name: 'Add Friend' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await phone.emit('App', 'backButton', { canGoBack: true })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('https://localhost/friends')

  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await phone.emit('App', 'backButton', { canGoBack: true })
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page).toHaveURL('https://localhost/friends')

  await phone.emit('App', 'backButton', { canGoBack: true })
  await expect(home(page)).toBeVisible()
  expect(phone.asked('App.minimizeApp')).toEqual([])
  await phone.emit('App', 'backButton', { canGoBack: false })
  await expect.poll(() => phone.asked('App.minimizeApp').length).toBe(1)
  await expect(home(page)).toBeVisible()
})

test('sharing a pin shares the address on the server, allows the user to close the sheet, and copies if it fails', async ({
  phoneOf,
  person,
  baseURL,
}) => {
  const ann = await person('ann')
  const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup at noon', is_public: true })
  const phone = phoneOf(ann)
  const page = await phone.start({}, `/pins/${ping.id}`)
  const shared = { title: 'Soup at noon', url: `${baseURL}/pins/${ping.id}` }
  const share = page.getByRole('button', { name: 'Share' })
  const attempts = () => phone.asked('Share.share')
  phone.answer('Share.share', () => ({ activityType: 'mail' }))
  await share.click()
  await expect.poll(attempts).toEqual([shared])

  phone.answer('Share.share', () => {
    throw new NativeError('Share canceled')
  })
  await share.click()
  await expect.poll(attempts).toEqual([shared, shared])
  await expect(page.getByText(/copied|copy the link/i)).toHaveCount(0)
  expect(phone.asked('Clipboard.write')).toEqual([])

  phone.answer('Share.share', () => {
    throw new NativeError("Can't share while sharing is in progress")
  })
  phone.answer('Clipboard.write', () => undefined)
  await share.click()
  await expect.poll(() => phone.asked('Clipboard.write')).toEqual([{ string: shared.url }])
  await expect(page.getByText(/copied/i).first()).toBeVisible()
})

test('friends see each other live in the packaged app, which registers no service worker', async ({
  phoneOf,
  person,
  friends,
  baseURL,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await phoneOf(ann).start()
  await expect(home(page)).toBeVisible()
  await dropPing(baseURL ?? '', bob, { name: 'Tea at four' })
  await expect(page.getByRole('button', { name: /Tea at four/ }).first()).toBeVisible()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  expect(page.context().serviceWorkers()).toEqual([])
})

test('the splash screen is hidden after the first render, and the system bars follow the color scheme', async ({
  phoneOf,
}) => {
  const phone = phoneOf(null)
  const page = await phone.start({ colorScheme: 'dark' })
  await expect(signIn(page)).toBeVisible()
  await expect.poll(() => phone.asked('SplashScreen.hide').length).toBe(1)
  const style = () => phone.asked('SystemBars.setStyle').at(-1)?.['style']
  await expect.poll(style).toBe('DARK')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(style).toBe('LIGHT')
})

test('safe area insets of the shell or the browser are respected', async ({ phoneOf, person }) => {
  const page = await startOnFriends(phoneOf(await person('ann')))
  await expect(friendsHeading(page)).toBeVisible()
  const heightOf = async (role: 'banner' | 'navigation') => (await page.getByRole(role).first().boundingBox())?.height
  expect(await heightOf('banner')).toBe(56)
  const session = await page.context().newCDPSession(page)
  const insets = { top: 40, topMax: 40, bottom: 20, bottomMax: 20 }
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
  await expect.poll(() => heightOf('banner')).toBe(96)
  // Insets from Android take precedence.
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--safe-area-inset-top', '24px')
    document.documentElement.style.setProperty('--safe-area-inset-bottom', '0px')
  })
  await expect.poll(() => heightOf('banner')).toBe(80)
})

test('the app starts without an unimplemented plugin', async ({ phoneOf }) => {
  const phone = phoneOf(null)
  for (const method of ['SystemBars.setStyle', 'SplashScreen.hide', 'App.getLaunchUrl'])
    phone.answer(method, () => {
      throw new NativeError(`"${method}()" is not implemented`, 'UNIMPLEMENTED')
    })
  await expect(signIn(await phone.start())).toBeVisible()
})

test('the app works over the bridge of iOS', async ({ browser, person, baseURL }) => {
  const ann = await person('ann')
  const phone = new NativePhone(browser, 'ios')
  const page = await phone.start()
  try {
    expect(await page.evaluate('Capacitor.getPlatform()')).toBe('ios')
    await page.getByLabel('Server address').fill(baseURL ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(signIn(page)).toBeVisible()
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(home(page)).toBeVisible()
    expect(phone.keyStore.get(sessionKey)).toContain('refresh_token')
    // The key store entry is readable only on this device while it is unlocked, and is not synchronized.
    expect(phone.asked('SecureStorage.internalSetItem').at(-1)).toMatchObject({ access: 1, sync: false })
    expect(await storedInPage(page)).toEqual([])
    await expect(friendsHeading(await startOnFriends(phone))).toBeVisible()
  } finally {
    await phone.stop()
  }
})

test('an unknown address leads to Home first, and a malformed response is not stored and shown as no exception', async ({
  browserOf,
  expectConsole,
  person,
}) => {
  expectConsole(/TypeError|Cannot read properties|error occurred in/)
  const page = await browserOf(await person('ann'))
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.locator('main .MuiButton-contained')).toHaveText('Go to Home')
  await expect(page.getByRole('button', { name: 'Reload Page' })).toBeVisible()

  // The malformed answer is stored on the device. It must not outlive the failure.
  await page.route('**/api/friends/', (route) => route.fulfill({ json: [{ id: 7 }] }))
  await page.goto('/friends')
  await expect(page.getByRole('alert')).toHaveText('An unexpected error occurred')
  await expect(page.getByText('Details')).toBeVisible()
  await page.unroute('**/api/friends/')
  await page.getByRole('button', { name: 'Reload Page' }).click()
  await expect(page.getByText('No friends yet. Start by adding some friends!')).toBeVisible()
})

test('stored answers that do not fit the contract are dropped when the page loads', async ({
  baseURL,
  browserOf,
  friends,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  await dropPing(baseURL ?? '', ann, { name: 'Stored pin' })
  const page = await browserOf(bob)
  const row = page.getByRole('button', { name: /Stored pin/ }).first()
  const pingPaths = '**/api/pings/**'
  await page.goto('/')
  await expect(row).toBeVisible()
  await expect.poll(() => changeStoredPings(page, false)).toBe(1)

  // The lists come from the device while the server does not answer.
  await page.route(pingPaths, () => undefined)
  await page.reload()
  await expect(row).toBeVisible()

  await page.goto('/manifest.webmanifest')
  expect(await changeStoredPings(page, true)).toBe(1)
  const asked = page.waitForRequest(pingPaths)
  await page.goto('/')
  await asked
  await expect(page.getByLabel('Loading location pings...').first()).toBeAttached()
  await expect(row).toHaveCount(0)

  await page.unroute(pingPaths)
  await page.reload()
  await expect(row).toBeVisible()
})

/** Counts the stored lists with pings. With `spoil`, their pings lose the field `access`. */
function changeStoredPings(page: Page, spoil: boolean): Promise<number> {
  return page.evaluate(async (spoil) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('hither'))
    try {
      if (!database.objectStoreNames.contains('answers')) return 0
      const answers = database.transaction('answers', 'readwrite').objectStore('answers')
      const [key] = await done(answers.getAllKeys())
      if (key === undefined) return 0
      const record = await done(answers.get(key))
      const lists = record.state.queries
        .map((query: { state: { data: unknown } }) => query.state.data)
        .filter(
          (data: unknown): data is Record<string, unknown>[] => Array.isArray(data) && data[0]?.access === 'invitee',
        )
      if (spoil) {
        for (const ping of lists.flat()) delete ping.access
        await done(answers.put(record, key))
      }
      return lists.length
    } finally {
      database.close()
    }
  }, spoil)
}
