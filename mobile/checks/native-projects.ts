import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { parse as parsePlist } from 'plist'

/**
 * Static checks of the native projects, which need no native build tools. Each check takes the text of a file and returns a
 * list of problems, so that tests can run it on broken files.
 */
export type Complaints = string[]

interface ManifestNode {
  [key: string]: unknown
}

/** The complete list of allowed permissions. Each one may prompt the user. */
const permissions = [
  'android.permission.INTERNET',
  'android.permission.ACCESS_NETWORK_STATE',
  'android.permission.ACCESS_COARSE_LOCATION',
  'android.permission.ACCESS_FINE_LOCATION',
  'android.permission.POST_NOTIFICATIONS',
  'android.permission.CAMERA',
]

/** `resources` are the names of the files below `res`, such as `xml/file_paths`. */
export function checkManifest(text: string, resources: ReadonlySet<string>): Complaints {
  const wellFormed = XMLValidator.validate(text)
  if (wellFormed !== true) return [`is not XML: ${wellFormed.err.msg}`]
  const { manifest } = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => ['uses-permission', 'uses-feature', 'intent-filter', 'data', 'category'].includes(name),
  }).parse(text) as { manifest: ManifestNode }
  const complaints: Complaints = []
  const asked = (manifest['uses-permission'] as ManifestNode[] | undefined)?.map((node) => node['android:name']) ?? []
  for (const name of permissions) if (!asked.includes(name)) complaints.push(`does not ask for ${name}`)
  for (const name of asked) if (!permissions.includes(String(name))) complaints.push(`asks for ${name}`)
  const application = manifest['application'] as ManifestNode
  if (application['android:allowBackup'] !== 'false') complaints.push('lets a backup copy the session')
  const activity = application['activity'] as ManifestNode
  if (activity['android:exported'] !== 'true') complaints.push('has an activity that nobody can start')
  if (activity['android:launchMode'] !== 'singleTask') complaints.push('opens each link in a window of its own')
  const links = (activity['intent-filter'] as ManifestNode[]).find((filter) => filter['android:autoVerify'] === 'true')
  const data = (links?.['data'] as ManifestNode[] | undefined) ?? []
  if (!data.some((node) => node['android:scheme'] === 'https')) complaints.push('opens no https links')
  for (const prefix of ['/pins/', '/invite/'])
    if (!data.some((node) => node['android:pathPrefix'] === prefix)) complaints.push(`does not open ${prefix}`)
  if (!data.some((node) => node['android:path'] === '/add')) complaints.push('does not open /add')
  const filters = (activity['intent-filter'] as ManifestNode[]).flatMap(
    (filter) => filter['data'] as ManifestNode[] | undefined,
  )
  if (!filters.some((node) => node?.['android:scheme'] === 'hither' && node['android:host'] === 'signed-in'))
    complaints.push('does not open the way back from a sign-in provider')
  const features = manifest['uses-feature'] as ManifestNode[]
  for (const { 'android:name': name, 'android:required': required } of features)
    if (required !== 'false') complaints.push(`cannot be installed without ${name}`)
  for (const [, name] of text.matchAll(/"@((?:xml|mipmap|style|string)\/[\w.]+)"/g))
    if (name && !resources.has(name)) complaints.push(`names @${name}, which is not there`)
  return complaints
}

/** Checks that other apps can receive no files of this app except the pictures that its camera takes. */
export function checkFilePaths(text: string): Complaints {
  const wellFormed = XMLValidator.validate(text)
  if (wellFormed !== true) return [`is not XML: ${wellFormed.err.msg}`]
  const folders = [...text.matchAll(/<([\w-]+-path)\b[^>]*? path="([^"]*)"/g)].map(
    ([, name, path]) => `${name} ${path}`,
  )
  const pictures = 'external-files-path Pictures'
  const others = folders.filter((folder) => folder !== pictures).map((folder) => `gives access to ${folder}`)
  return folders.includes(pictures) ? others : ['gives no access to the pictures', ...others]
}

/** Checks that the Gradle wrapper verifies the checksum of its distribution. */
export function checkGradleWrapper(text: string): Complaints {
  const complaints: Complaints = []
  if (!/^distributionUrl=https\\:\/\/services\.gradle\.org\//m.test(text))
    complaints.push('loads Gradle from elsewhere')
  if (!/^distributionSha256Sum=[0-9a-f]{64}$/m.test(text)) complaints.push('has no checksum')
  return complaints
}

/** Checks that release builds allow no cleartext traffic. */
export function checkNetworkSecurity(text: string): Complaints {
  const wellFormed = XMLValidator.validate(text)
  if (wellFormed !== true) return [`is not XML: ${wellFormed.err.msg}`]
  return /<base-config cleartextTrafficPermitted="false"/.test(text) && !/cleartextTrafficPermitted="true"/.test(text)
    ? []
    : ['lets traffic go in the clear']
}

const usageTexts = [
  'NSLocationWhenInUseUsageDescription',
  'NSLocationAlwaysAndWhenInUseUsageDescription',
  'NSCameraUsageDescription',
  'NSPhotoLibraryUsageDescription',
  'NSPhotoLibraryAddUsageDescription',
]

export function checkInfoPlist(text: string): Complaints {
  return withPlist(text, (info) => {
    const complaints: Complaints = []
    for (const key of usageTexts) {
      const sentence = info[key]
      if (typeof sentence !== 'string' || !/^Hither .+\.$/.test(sentence))
        complaints.push(`says no sentence for ${key}`)
    }
    const schemes = (info['CFBundleURLTypes'] as Record<string, unknown[]>[] | undefined)?.flatMap(
      (type) => type['CFBundleURLSchemes'],
    )
    if (!schemes?.includes('hither')) complaints.push('does not open the way back from a sign-in provider')
    if (info['ITSAppUsesNonExemptEncryption'] !== false)
      complaints.push('does not answer the question about encryption')
    if (!(info['UIRequiredDeviceCapabilities'] as unknown[] | undefined)?.includes('arm64'))
      complaints.push('is for processors that are no longer made')
    if (info['UIBackgroundModes'] !== undefined) complaints.push('wants to run in the background')
    return complaints
  })
}

/** `host` is the host whose links Android opens. */
export function checkEntitlements(text: string, host: string): Complaints {
  return withPlist(text, (entitlements) => {
    const domains = (entitlements['com.apple.developer.associated-domains'] as unknown[] | undefined) ?? []
    const complaints: Complaints = []
    if (!domains.includes(`applinks:${host}`)) complaints.push(`does not open links of ${host}`)
    if (entitlements['aps-environment'] === undefined) complaints.push('cannot be notified')
    return complaints
  })
}

export function checkPrivacyManifest(text: string): Complaints {
  return withPlist(text, (privacy) => {
    const complaints: Complaints = []
    if (privacy['NSPrivacyTracking'] !== false) complaints.push('says that it tracks')
    const types = (privacy['NSPrivacyCollectedDataTypes'] as Record<string, unknown>[] | undefined) ?? []
    const names = types.map((type) => String(type['NSPrivacyCollectedDataType']))
    for (const name of ['PreciseLocation', 'PhotosorVideos', 'EmailsOrTextMessages', 'EmailAddress'])
      if (!names.includes(`NSPrivacyCollectedDataType${name}`)) complaints.push(`does not own up to ${name}`)
    for (const type of types)
      if (type['NSPrivacyCollectedDataTypeTracking'] !== false) complaints.push('collects something to track people')
    return complaints
  })
}

/** Checks that the identifier equals that in the settings of Capacitor, and that every file in the project exists. */
export function checkXcodeProject(text: string, appId: string, files: ReadonlySet<string>): Complaints {
  const complaints: Complaints = []
  const ids = [...text.matchAll(/PRODUCT_BUNDLE_IDENTIFIER = ([^;]+);/g)].map(([, id]) => id)
  if (ids.length === 0 || ids.some((id) => id !== appId)) complaints.push(`is not all for ${appId}`)
  const configurations = text.match(/INFOPLIST_FILE = /g)?.length ?? 0
  const entitled = [...text.matchAll(/CODE_SIGN_ENTITLEMENTS = ([^;]+);/g)].map(([, path]) => path)
  if (configurations === 0 || entitled.length !== configurations) complaints.push('signs a build without entitlements')
  for (const path of entitled) if (!files.has(String(path))) complaints.push(`names ${path}, which is not there`)
  if (!/PrivacyInfo\.xcprivacy in Resources \*\/,/.test(text)) complaints.push('does not ship its privacy manifest')
  for (const [, path] of text.matchAll(/path = ([\w.]+\.(?:swift|plist|entitlements|xcprivacy|xcassets)); sourceTree/g))
    if (!files.has(`App/${path}`)) complaints.push(`names ${path}, which is not there`)
  return complaints
}

/** The Capacitor packages of the web app and of the native projects. */
interface PluginLists {
  /** The packages that the web app imports. */
  readonly imported: ReadonlySet<string>
  /** The dependencies in `mobile/package.json`, which `cap sync` adds to the native projects. */
  readonly installed: Readonly<Record<string, string>>
  /** The dependencies in the `package.json` of the web app. */
  readonly named: Readonly<Record<string, string>>
}

/** Checks that every imported plugin is packaged, and in the same version on both sides of the bridge. */
export function checkPlugins({ imported, installed, named }: PluginLists): Complaints {
  const complaints: Complaints = []
  for (const name of imported) if (!(name in installed)) complaints.push(`calls ${name}, which is not packaged`)
  for (const [name, version] of Object.entries(named))
    if (name in installed && installed[name] !== version)
      complaints.push(`calls ${name} ${version}, packages ${installed[name]}`)
  for (const [name, version] of Object.entries(installed))
    if (/^@(capacitor|aparajita)\//.test(name) && !/^\d+\.\d+\.\d+$/.test(version))
      complaints.push(`packages ${name} in whatever version there is`)
  return complaints
}

/** Checks the settings of Capacitor for insecure values and for a missing web folder. */
export function checkSettings(settings: {
  readonly server?: { readonly url?: string; readonly androidScheme?: string; readonly cleartext?: boolean }
  readonly android?: { readonly allowMixedContent?: boolean; readonly webContentsDebuggingEnabled?: boolean }
  readonly plugins?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}): Complaints {
  const complaints: Complaints = []
  if (settings.server?.url !== undefined) complaints.push('runs pages from elsewhere with the rights of the app')
  if (settings.server?.androidScheme !== 'https' || settings.server.cleartext === true)
    complaints.push('has an origin that servers do not let in')
  if (settings.android?.allowMixedContent !== false) complaints.push('loads parts of pages in the clear')
  if (settings.android?.webContentsDebuggingEnabled !== false) complaints.push('can be read with a cable')
  if (settings.plugins?.['CapacitorHttp']?.['enabled'] === true) complaints.push('goes round the rules for origins')
  if (settings.plugins?.['SystemBars']?.['insetsHandling'] !== 'css')
    complaints.push('does not receive the insets of the system bars')
  // The web app hides the splash screen, so the shell must not hide it automatically.
  if (settings.plugins?.['SplashScreen']?.['launchAutoHide'] !== false) complaints.push('flashes while it starts')
  return complaints
}

function withPlist(text: string, judge: (values: Record<string, unknown>) => Complaints): Complaints {
  const wellFormed = XMLValidator.validate(text)
  if (wellFormed !== true) return [`is not XML: ${wellFormed.err.msg}`]
  try {
    return judge(parsePlist(text) as Record<string, unknown>)
  } catch (error) {
    return [`is no property list: ${(error as Error).message}`]
  }
}
