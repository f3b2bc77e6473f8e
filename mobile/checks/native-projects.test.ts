import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import config from '../capacitor.config.ts'
import {
  type Complaints,
  checkEntitlements,
  checkFilePaths,
  checkGradleWrapper,
  checkInfoPlist,
  checkManifest,
  checkNetworkSecurity,
  checkPlugins,
  checkPrivacyManifest,
  checkSettings,
  checkXcodeProject,
} from './native-projects.ts'

const mobile = fileURLToPath(new URL('../', import.meta.url))
const android = join(mobile, 'android/app/src/main')
const ios = join(mobile, 'ios/App')

const read = (...path: string[]) => readFile(join(...path), 'utf8')
const resources = await resourceNames()
const files = new Set((await readdir(join(ios, 'App'), { recursive: true })).map((name) => `App/${name}`))
const appLinkHost = /name="app_link_host">([^<]+)</.exec(await read(android, 'res/values/strings.xml'))?.[1] ?? ''

/** A check with the text of its file and with changes that the check must detect. */
interface Case {
  name: string
  text: string
  check(text: string): Complaints
  breakages: (readonly [string | RegExp, string])[]
}

const cases: Case[] = [
  {
    name: 'the Android manifest',
    text: await read(android, 'AndroidManifest.xml'),
    check: (text) => checkManifest(text, resources),
    breakages: [
      ['</manifest>', ''],
      ['android.permission.ACCESS_FINE_LOCATION', 'android.permission.ACCESS_FINE'],
      ['android.permission.INTERNET', 'android.permission.RECORD_AUDIO'],
      [/^.*ACCESS_NETWORK_STATE.*\n/m, ''],
      ['allowBackup="false"', 'allowBackup="true"'],
      ['android:exported="true"', 'android:exportd="true"'],
      ['singleTask', 'standard'],
      ['android:autoVerify="true"', ''],
      ['android:pathPrefix="/invite/"', 'android:pathPrefix="/other/"'],
      ['android:path="/add"', 'android:path="/other"'],
      ['android:host="signed-in"', 'android:host="other"'],
      [/^.*permission\.CAMERA.*\n/m, ''],
      ['camera" android:required="false"', 'camera" android:required="true"'],
      ['@xml/data_extraction_rules', '@xml/rules'],
      ['@mipmap/ic_launcher_round', '@mipmap/round'],
    ],
  },
  {
    name: 'the shared folders',
    text: await read(android, 'res/xml/file_paths.xml'),
    check: checkFilePaths,
    breakages: [
      ['external-files-path', 'external-path'],
      ['"Pictures"', '"."'],
      ['</paths>', '<cache-path name="cache" path="." /></paths>'],
      ['</paths>', '<root-path name="root" path="/" /></paths>'],
      ['</paths>', ''],
    ],
  },
  {
    name: 'the Gradle wrapper',
    text: await read(mobile, 'android/gradle/wrapper/gradle-wrapper.properties'),
    check: checkGradleWrapper,
    breakages: [
      [/^distributionSha256Sum=.*\n/m, ''],
      ['services.gradle.org', 'gradle.example.org'],
    ],
  },
  {
    name: 'the network rules of a release',
    text: await read(android, 'res/xml/network_security_config.xml'),
    check: checkNetworkSecurity,
    breakages: [
      ['"false"', '"true"'],
      ['<base-config', '<base-konfig'],
      ['</network-security-config>', ''],
    ],
  },
  {
    name: 'the property list of the app',
    text: await read(ios, 'App/Info.plist'),
    check: checkInfoPlist,
    breakages: [
      ['</dict>\n</plist>', '</plist>'],
      [/<key>NSLocationWhenInUseUsageDescription<\/key>\s*<string>[^<]*<\/string>/, ''],
      [/(<key>NSCameraUsageDescription<\/key>\s*<string>)[^<]*/, '$1'],
      ['arm64', 'armv7'],
      ['<string>hither</string>', ''],
      [/<key>ITSAppUsesNonExemptEncryption<\/key>\s*<false\/>/, ''],
      ['<key>LSRequiresIPhoneOS</key>', '<key>UIBackgroundModes</key><array/><key>LSRequiresIPhoneOS</key>'],
    ],
  },
  {
    name: 'the entitlements',
    text: await read(ios, 'App/App.entitlements'),
    check: (text) => checkEntitlements(text, appLinkHost),
    breakages: [
      ['applinks:', 'webcredentials:'],
      [appLinkHost, 'elsewhere.example.org'],
      ['aps-environment', 'aps'],
    ],
  },
  {
    name: 'the privacy manifest',
    text: await read(ios, 'App/PrivacyInfo.xcprivacy'),
    check: checkPrivacyManifest,
    breakages: [
      ['<false/>', '<true/>'],
      ['NSPrivacyCollectedDataTypePreciseLocation', 'NSPrivacyCollectedDataTypeCoarseLocation'],
    ],
  },
  {
    name: 'the Xcode project',
    text: await read(ios, 'App.xcodeproj/project.pbxproj'),
    check: (text) => checkXcodeProject(text, config.appId ?? '', files),
    breakages: [
      [/app\.hither\.mobile/, 'app.other.mobile'],
      ['CODE_SIGN_ENTITLEMENTS = App/App.entitlements;', ''],
      [/CODE_SIGN_ENTITLEMENTS = App\/App\.entitlements;/g, 'CODE_SIGN_ENTITLEMENTS = App/Other.entitlements;'],
      [/^.*PrivacyInfo\.xcprivacy in Resources \*\/,\n/m, ''],
      ['path = AppDelegate.swift', 'path = Delegate.swift'],
    ],
  },
]

describe.each(cases)('$name', ({ text, check, breakages }) => {
  it('passes its check', () => {
    expect(check(text)).toEqual([])
  })

  it.each(breakages)('fails its check if %s is replaced by "%s"', (from, to) => {
    const broken = text.replace(from, to)
    expect(broken).not.toBe(text)
    expect(check(broken)).not.toEqual([])
  })
})

describe('the plugins', async () => {
  const sources = join(mobile, '../web/src/platform')
  const names = (await readdir(sources)).filter((name) => /^native-.*\.ts$/.test(name))
  const imported = new Set<string>()
  for (const name of names)
    for (const [, specifier] of (await read(sources, name)).matchAll(
      /(?:from |import\()'(@(?:capacitor|aparajita)\/[\w-]+)'/g,
    ))
      imported.add(String(specifier))
  const { devDependencies: installed } = JSON.parse(await read(mobile, 'package.json')) as {
    devDependencies: Record<string, string>
  }
  const { '@capacitor/share': _, ...withoutShare } = installed
  const { dependencies, devDependencies } = JSON.parse(await read(mobile, '../web/package.json'))
  const lists = { imported, installed, named: { ...devDependencies, ...dependencies } }

  it('include all plugins that the web app calls', () => {
    expect(imported.size).toBeGreaterThan(5)
    expect(checkPlugins(lists)).toEqual([])
  })

  it.each([
    ['one that is called and not packaged', { ...lists, imported: new Set([...imported, '@capacitor/camera']) }],
    ['one that is packaged no more', { ...lists, installed: withoutShare }],
    ['two versions', { ...lists, named: { '@capacitor/core': '8.0.0' } }],
    ['a version that is not pinned', { ...lists, installed: { ...installed, '@capacitor/app': '^8.1.1' } }],
  ])('would be found out with %s', (_name, broken) => {
    expect(checkPlugins(broken)).not.toEqual([])
  })
})

describe('the settings of the shell', () => {
  const { server, android, plugins } = config
  const settings = { server, android, plugins } as Parameters<typeof checkSettings>[0]

  it('pass their check', () => {
    expect(checkSettings(settings)).toEqual([])
  })

  it.each([
    [{ server: { url: 'https://evil.example.org', androidScheme: 'https' } }],
    [{ server: { androidScheme: 'http' } }],
    [{ server: { androidScheme: 'https', cleartext: true } }],
    [{ android: { allowMixedContent: true, webContentsDebuggingEnabled: false } }],
    [{ android: { allowMixedContent: false, webContentsDebuggingEnabled: true } }],
    [{ plugins: { ...settings.plugins, CapacitorHttp: { enabled: true } } }],
    [{ plugins: { ...settings.plugins, SystemBars: { insetsHandling: 'native' } } }],
    [{ plugins: { ...settings.plugins, SplashScreen: {} } }],
  ])('would be found out with %j', (broken) => {
    expect(checkSettings({ ...settings, ...broken })).not.toEqual([])
  })
})

it('the server declares the same app links as the native projects', async () => {
  const routes = await read(mobile, '../server/src/app-links/app-links.routes.ts')
  const named = [...(/openedPaths = \[([^\]]+)\]/.exec(routes)?.[1] ?? '').matchAll(/'([^']+)\*'/g)].map(
    ([, path]) => path,
  )
  const manifest = await read(android, 'AndroidManifest.xml')
  const opened = [...manifest.matchAll(/android:pathPrefix="([^"]+)"/g)].map(([, path]) => path)
  expect(named.sort()).toEqual(opened.sort())
  expect(await read(mobile, '../server/src/config/app-links.ts')).toContain(`'${config.appId}'`)
})

describe('the generated files of Capacitor', () => {
  const generated = [
    'android/app/capacitor.build.gradle',
    'android/capacitor.settings.gradle',
    'ios/App/CapApp-SPM/Package.swift',
  ]

  it('equal the committed files', async () => {
    const before = await Promise.all(generated.map((name) => read(mobile, name)))
    try {
      await update()
      expect(await Promise.all(generated.map((name) => read(mobile, name)))).toEqual(before)
      // A removed line must be restored, which proves that the comparison works.
      for (const [index, name] of generated.entries()) {
        const broken = before[index]?.replace(/^.*capacitor-?share.*\n/im, '') ?? ''
        expect(broken).not.toBe(before[index])
        await writeFile(join(mobile, name), broken)
      }
      await update()
      expect(await Promise.all(generated.map((name) => read(mobile, name)))).toEqual(before)
    } finally {
      await Promise.all(generated.map((name, index) => writeFile(join(mobile, name), before[index] ?? '')))
    }
  })

  it('contain the unchanged Gradle wrapper', async () => {
    const bytes = await readFile(join(mobile, 'android/gradle/wrapper/gradle-wrapper.jar'))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '7d3a4ac4de1c32b59bc6a4eb8ecb8e612ccd0cf1ae1e99f66902da64df296172',
    )
  })
})

it('every icon is rendered from the logo, and a different icon is detected', async () => {
  const script = fileURLToPath(new URL('../../scripts/build-icons.ts', import.meta.url))
  const areDrawn = () =>
    promisify(execFile)(process.execPath, [script, '--check']).then(
      () => true,
      () => false,
    )
  expect(await areDrawn()).toBe(true)
  const icon = join(android, 'res/mipmap-hdpi/ic_launcher.png')
  const drawn = await readFile(icon)
  try {
    await writeFile(icon, await readFile(join(android, 'res/mipmap-mdpi/ic_launcher.png')))
    expect(await areDrawn()).toBe(false)
  } finally {
    await writeFile(icon, drawn)
  }
})

/** Runs Capacitor's update. It creates the web folder first, which Capacitor expects and a fresh clone does not have. */
async function update() {
  await mkdir(join(android, 'assets'), { recursive: true })
  const cli = fileURLToPath(new URL('../../node_modules/.bin/cap', import.meta.url))
  await promisify(execFile)(process.execPath, [cli, 'update'], {
    cwd: mobile,
    env: { ...process.env, CAPACITOR_TELEMETRY: '0' },
  })
}

/** The names of all resources, as XML files refer to them: `xml/file_paths`, `string/app_name`. */
async function resourceNames(): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const path of await readdir(join(android, 'res'), { recursive: true })) {
    const [folder = '', file] = path.split('/')
    if (file) names.add(`${folder.split('-')[0]}/${basename(file).replace(/\.\w+$/, '')}`)
  }
  for (const file of ['strings.xml', 'styles.xml'])
    for (const [, kind, name] of (await read(android, 'res/values', file)).matchAll(/<(string|style) name="([^"]+)"/g))
      names.add(`${kind}/${name}`)
  return names
}
