import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFriendLink } from '@hither/contract/friend-links.ts'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath, drawingArgs } from '../chromium.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { lightenPages } from '../light-page.ts'
import { storageOf } from '../people.ts'
import { writeQrVideo } from '../qr-codes.ts'

async function openScanTab(page: Page) {
  await page.goto('/friends')
  await page.getByRole('button', { name: 'My code' }).click()
  await page.getByRole('tab', { name: 'Scan' }).click()
}

test('scanning opens the friend code of this server, and explains other codes and a missing camera', async ({
  api,
  baseURL,
  person,
}) => {
  // The test starts its own browser.
  test.slow()
  const base = baseURL ?? ''
  const [ann, bob] = [await person('ann'), await person('bob')]
  const { url } = await api(createFriendLink, { body: { kind: 'qr' } }, ann)
  const folder = await mkdtemp(join(tmpdir(), 'hither-camera-'))
  const camera = join(folder, 'camera.y4m')
  const foreign = url.replace(new URL(url).host, 'friends.example.org')
  await writeQrVideo(camera, foreign)
  // Only the full browser has cameras.
  const browser = await chromium.launch({
    executablePath: chromiumPath() ?? '/usr/bin/chromium',
    args: [...drawingArgs, '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`],
  })
  try {
    const options = { baseURL: base, storageState: storageOf(base, bob), viewport: { width: 390, height: 844 } }
    const context = await browser.newContext({ ...options, permissions: ['camera'] })
    await lightenPages(context)
    const page = await context.newPage()
    await openScanTab(page)
    await expect(page.getByText("Point your camera at a friend's code.")).toBeVisible()
    await expect(page.getByText('This code is for another server: friends.example.org.')).toBeVisible()
    await expectAccessible(page)
    // The browser opens the file when the camera starts.
    await page.getByRole('tab', { name: 'My code' }).click()
    await writeQrVideo(camera, 'WIFI:T:WPA;S:home;P:secret;;')
    await page.getByRole('tab', { name: 'Scan' }).click()
    await expect(page.getByText("This isn't a Hither friend code.")).toBeVisible()
    await page.getByRole('tab', { name: 'My code' }).click()
    await writeQrVideo(camera, url)
    await page.getByRole('tab', { name: 'Scan' }).click()
    await expect(page).toHaveURL('/add')
    await expect(page.getByRole('button', { name: `Add ${ann.username}` })).toBeVisible()

    const denied = await browser.newContext(options)
    await lightenPages(denied)
    const deniedPage = await denied.newPage()
    const devtools = await browser.newBrowserCDPSession()
    const { targetInfos } = await devtools.send('Target.getTargets')
    const { browserContextId } = targetInfos.find(({ type, url }) => type === 'page' && url === 'about:blank') ?? {}
    await devtools.send('Browser.setPermission', {
      permission: { name: 'camera' },
      setting: 'denied',
      origin: base,
      ...(browserContextId !== undefined && { browserContextId }),
    })
    await openScanTab(deniedPage)
    await expect(
      deniedPage.getByText('Camera access is off. Turn it on in your settings, or ask your friend for a link.'),
    ).toBeVisible()

    // As on a page without HTTPS.
    await deniedPage.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }))
    await openScanTab(deniedPage)
    await expect(deniedPage.getByText('No camera available. Ask your friend for a link instead.')).toBeVisible()
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a browser with its own decoder of QR codes scans with it and loads no other', async ({
  api,
  browserOf,
  person,
}) => {
  const [ann, bob] = [await person('ann'), await person('bob')]
  const { url } = await api(createFriendLink, { body: { kind: 'qr' } }, ann)
  const page = await browserOf(bob)
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  // The browser of the tests has neither a camera nor the Barcode Detection API.
  await page.addInitScript((text) => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    // The stream has a frame for each change of the canvas.
    setInterval(() => context?.fillRect(0, 0, canvas.width, canvas.height), 50)
    const getUserMedia = async () => canvas.captureStream()
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } })
    class BarcodeDetector {
      readonly formats: readonly string[]
      constructor({ formats }: { formats: string[] }) {
        this.formats = formats
      }
      static async getSupportedFormats() {
        return ['aztec', 'qr_code']
      }
      async detect(source: unknown) {
        const isVideo = source instanceof HTMLVideoElement && source.videoWidth > 0
        return isVideo && this.formats.join() === 'qr_code' ? [{ rawValue: text }] : []
      }
    }
    Object.assign(globalThis, { BarcodeDetector })
  }, url)
  await openScanTab(page)
  await expect(page).toHaveURL('/add')
  await expect(page.getByRole('button', { name: `Add ${ann.username}` })).toBeVisible()
  expect(scripts.filter((script) => /\/assets\/CodeSheet-/.test(script))).toHaveLength(1)
  expect(scripts.filter((script) => /\/assets\/decode-/.test(script))).toEqual([])
})
