import { type Page } from '@playwright/test'
import { test as base, expect, expectAccessible } from '../fixtures.ts'
import { NativeError, NativePhone } from '../native-phone.ts'
import { dropPing, type Person, password } from '../people.ts'

interface Fixtures {
  /** A phone with the app on it, not started yet. */
  phone: NativePhone
  /** The same, where the server was chosen before and this person is signed in. */
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
      if (person !== null) phone.keyStore.set(sessionKey, keptSession(baseURL ?? '', person))
      return phone
    })
  },
})

const sessionKey = 'capacitor-storage_session'

function keptSession(server: string, { session }: Person): string {
  const { access_token, refresh_token, expires_at, user } = session
  const values = { access_token, refresh_token, expires_at: String(expires_at), user: JSON.stringify(user) }
  return JSON.stringify({ server, values })
}

const elsewhere = 'https://hither.example.org'

/** The same server under an address such as links have. */
function moveTo(phone: NativePhone, address: string, person: Person, base: string): void {
  phone.hosts.set(address, base)
  phone.preferences.set('server', address)
  phone.keyStore.set(sessionKey, keptSession(address, person))
}

const home = (page: Page) => page.getByText('My Pins')
const signIn = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' })
const question = (page: Page) => page.getByRole('heading', { name: 'Choose a server' })

/** What of the session lies where any script of the page can read it. */
const storedInPage = (page: Page) =>
  page.evaluate(() => ['access_token', 'refresh_token', 'user'].filter((key) => localStorage.getItem(key) !== null))

test.describe('the server', () => {
  test('is asked for first, remembered, and spoken to from then on', async ({ phone, person, baseURL }) => {
    const ann = await person('ann')
    const server = baseURL ?? ''
    const page = await phone.start()
    await expect(question(page)).toBeVisible()
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

    const again = await phone.start()
    await expect(home(again)).toBeVisible()
  })

  test('that is another one is never shown the session of the one before', async ({ phoneOf, person, baseURL }) => {
    const ann = await person('ann')
    const server = baseURL ?? ''
    const phone = phoneOf(ann)
    let page = await phone.start()
    await expect(home(page)).toBeVisible()

    // As if the choice had been changed behind the app's back.
    const other = server.replace('127.0.0.1', 'localhost')
    phone.preferences.set('server', other)
    page = await phone.start()
    await expect(signIn(page)).toBeVisible()
    expect(phone.keyStore.size).toBe(0)
  })

  test('can be changed where one signs in', async ({ phoneOf, baseURL }) => {
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

  test('of a page in a browser is the one it came from', async ({ browserOf }) => {
    const page = await browserOf(null)
    await page.goto('/server')
    await expect(signIn(page)).toBeVisible()
    await expect(page.getByText('Server:')).toBeHidden()
  })
})

test.describe('the session', () => {
  test('lies in the key store and nowhere else, and goes with its person', async ({ phoneOf, person }) => {
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

    page = await phone.start()
    await expect(home(page)).toBeVisible()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(signIn(page)).toBeVisible()
    await expect.poll(() => phone.keyStore.size).toBe(0)
    page = await phone.start()
    await expect(signIn(page)).toBeVisible()
  })

  test('of a former installation is not taken over', async ({ phoneOf, person }) => {
    const phone = phoneOf(await person('ann'))
    phone.preferences.delete('installed')
    const page = await phone.start()
    await expect(signIn(page)).toBeVisible()
    expect(phone.keyStore.size).toBe(0)
    expect(phone.preferences.get('installed')).toBe('yes')
  })

  test('that the key store cannot read is none', async ({ phoneOf, person }) => {
    const phone = phoneOf(await person('ann'))
    phone.answer('SecureStorage.internalGetItem', () => {
      throw new NativeError('The key is gone', 'osError')
    })
    await expect(signIn(await phone.start())).toBeVisible()
  })

  test('is renewed in the key store too', async ({ phoneOf, person }) => {
    const ann = await person('ann')
    const { session } = ann
    const phone = phoneOf({ ...ann, session: { ...session, access_token: 'outdated' } })
    const before = phone.keyStore.get(sessionKey)
    await expect(home(await phone.start())).toBeVisible()
    await expect.poll(() => phone.keyStore.get(sessionKey)).not.toBe(before)
    expect(phone.keyStore.get(sessionKey)).not.toContain(session.refresh_token)
  })
})

test.describe('where one is', () => {
  const refused = 'Could not get your location. Location access was denied. Please enable location permissions.'

  test('is asked of the phone, and shown', async ({ phoneOf, person }) => {
    const phone = phoneOf(await person('ann'))
    phone.answer('Geolocation.getCurrentPosition', () => ({
      timestamp: 1,
      coords: { latitude: 40.7033, longitude: -74.017, accuracy: 5 },
    }))
    const page = await phone.start()
    await page.getByRole('button', { name: 'Refresh and recenter map' }).click()
    await expect(page.getByRole('img', { name: /^You are here/ })).toBeVisible()
    expect(phone.asked('Geolocation.getCurrentPosition')).toEqual([
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    ])
  })

  test('is not asked before somebody wants to know, and a refusal says what to do', async ({ phoneOf, person }) => {
    const phone = phoneOf(await person('ann'))
    phone.answer('Geolocation.getCurrentPosition', () => {
      throw new NativeError('Location permission request was denied.', 'OS-PLUG-GLOC-0003')
    })
    const page = await phone.start()
    await expect(home(page)).toBeVisible()
    expect(phone.asked('Geolocation.getCurrentPosition')).toEqual([])
    await page.getByRole('button', { name: 'Refresh and recenter map' }).click()
    await expect(page.getByText(refused).first()).toBeVisible()
  })
})

test.describe('a link', () => {
  test('that starts the app leads to its pin, and back from there to the map', async ({ phoneOf, person, baseURL }) => {
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

    // The phone still says so when the page is loaded again; nobody tapped it again.
    await page.goto('https://localhost/friends')
    await expect(page.getByRole('heading', { name: 'Friends' })).toBeVisible()
    await expect(page).toHaveURL('https://localhost/friends')
  })

  test('that comes while the app is open leads to its pin, and one of a stranger nowhere', async ({
    phoneOf,
    person,
    baseURL,
  }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup at noon', is_public: true })
    const phone = phoneOf(ann)
    moveTo(phone, elsewhere, ann, baseURL ?? '')
    const page = await phone.start()
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
  })
})

test('the back button closes a dialog, goes back, and then puts the app away', async ({ phoneOf, person }) => {
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

test.describe('sharing a pin', () => {
  test('hands over the link of the server, whatever page the app shows', async ({ phoneOf, person, baseURL }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup at noon', is_public: true })
    const phone = phoneOf(ann)
    phone.answer('Share.share', () => ({ activityType: 'mail' }))
    const page = await openPin(phone, ping.id)
    await page.getByRole('button', { name: 'Share' }).click()
    await expect
      .poll(() => phone.asked('Share.share'))
      .toEqual([{ title: 'Soup at noon', url: `${baseURL}/pins/${ping.id}` }])
  })

  test('and closing the sheet is an answer, not a failure', async ({ phoneOf, person, baseURL }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup at noon', is_public: true })
    const phone = phoneOf(ann)
    phone.answer('Share.share', () => {
      throw new NativeError('Share canceled')
    })
    const page = await openPin(phone, ping.id)
    await page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => phone.asked('Share.share').length).toBe(1)
    await expect(page.getByText(/copied|copy the link/i)).toHaveCount(0)
    expect(phone.asked('Clipboard.write')).toEqual([])
  })

  test('copies the same link where the sheet fails', async ({ phoneOf, person, baseURL }) => {
    const ann = await person('ann')
    const ping = await dropPing(baseURL ?? '', ann, { name: 'Soup at noon', is_public: true })
    const phone = phoneOf(ann)
    phone.answer('Share.share', () => {
      throw new NativeError("Can't share while sharing is in progress")
    })
    phone.answer('Clipboard.write', () => undefined)
    const page = await openPin(phone, ping.id)
    await page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => phone.asked('Clipboard.write')).toEqual([{ string: `${baseURL}/pins/${ping.id}` }])
    await expect(page.getByText(/copied/i).first()).toBeVisible()
  })
})

async function openPin(phone: NativePhone, id: string): Promise<Page> {
  const page = await phone.start()
  await page.goto(`https://localhost/pins/${id}`)
  return page
}

test('friends see each other live', async ({ phoneOf, person, friends, baseURL }) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const page = await phoneOf(ann).start()
  await expect(home(page)).toBeVisible()
  await dropPing(baseURL ?? '', bob, { name: 'Tea at four' })
  await expect(page.getByRole('button', { name: /Tea at four/ }).first()).toBeVisible()
})

test('the first picture goes when there is another, and the bars follow the scheme', async ({ phoneOf }) => {
  const phone = phoneOf(null)
  const page = await phone.start({ colorScheme: 'dark' })
  await expect(signIn(page)).toBeVisible()
  await expect.poll(() => phone.asked('SplashScreen.hide').length).toBe(1)
  const style = () => phone.asked('SystemBars.setStyle').at(-1)?.['style']
  await expect.poll(style).toBe('DARK')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(style).toBe('LIGHT')
})

test('what the phone covers is kept clear, as the shell says it or as the browser knows it', async ({
  phoneOf,
  person,
}) => {
  const phone = phoneOf(await person('ann'))
  const page = await phone.start()
  await expect(home(page)).toBeVisible()
  const heightOf = async (role: 'banner' | 'navigation') => (await page.getByRole(role).first().boundingBox())?.height
  expect(await heightOf('banner')).toBe(56)
  const session = await page.context().newCDPSession(page)
  const insets = { top: 40, topMax: 40, bottom: 20, bottomMax: 20 }
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
  await expect.poll(() => heightOf('banner')).toBe(96)
  // As Android tells it, which counts more.
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--safe-area-inset-top', '24px')
    document.documentElement.style.setProperty('--safe-area-inset-bottom', '0px')
  })
  await expect.poll(() => heightOf('banner')).toBe(80)
})

test('no service worker is ever registered', async ({ phoneOf, person }) => {
  const phone = phoneOf(await person('ann'))
  const page = await phone.start()
  await expect(home(page)).toBeVisible()
  await page.waitForLoadState('load')
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  expect(page.context().serviceWorkers()).toEqual([])
})

test('a plugin that the package lacks keeps nobody out', async ({ phoneOf }) => {
  const phone = phoneOf(null)
  for (const method of ['SystemBars.setStyle', 'SplashScreen.hide', 'App.getLaunchUrl'])
    phone.answer(method, () => {
      throw new NativeError(`"${method}()" is not implemented`, 'UNIMPLEMENTED')
    })
  await expect(signIn(await phone.start())).toBeVisible()
})

test('an iPhone does the same over its own bridge', async ({ browser, person, baseURL }) => {
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
    // For this device alone, while it is unlocked; not for the cloud.
    expect(phone.asked('SecureStorage.internalSetItem').at(-1)).toMatchObject({ access: 1, sync: false })
    expect(await storedInPage(page)).toEqual([])
    await expect(home(await phone.start())).toBeVisible()
  } finally {
    await phone.stop()
  }
})
