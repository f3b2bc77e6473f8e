import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Platform = 'android' | 'ios'

/** The name and the methods of a plugin, as the bridge describes it to a page. */
interface PluginHeader {
  readonly name: string
  readonly methods: { name: string; rtype?: string }[]
}

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
const own = JSON.parse(readFileSync(new URL('../mobile/package.json', import.meta.url), 'utf8')) as {
  devDependencies: Record<string, string>
}

/** Capacitor's bridge script, which the shell injects into every page. */
export const bridgeScript = readFileSync(
  `${modules}@capacitor/android/capacitor/src/main/assets/native-bridge.js`,
  'utf8',
)

/** Reads the headers from the sources of the installed plugins, so that the emulation has no plugin that a phone lacks. */
export function pluginHeaders(platform: Platform): PluginHeader[] {
  const read = platform === 'android' ? androidHeader : iosHeader
  const packages = Object.keys(own.devDependencies).filter((name) => /^@(capacitor|aparajita)\//.test(name))
  const sources = packages.flatMap((name) => sourcesBelow(`${modules}${name}/${platform}`))
  return sources.map(read).filter((header) => header !== null)
}

function sourcesBelow(folder: string): string[] {
  let names: string[] = []
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    // The platform packages and tools contain no plugins. Those of the platform are added below.
  }
  return names
    .filter((name) => /\.(java|kt|swift|m)$/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
}

const platformSources = {
  android: sourcesBelow(`${modules}@capacitor/android/capacitor/src/main/java/com/getcapacitor/plugin`),
  ios: sourcesBelow(`${modules}@capacitor/ios/Capacitor/Capacitor/Plugins`),
}

/** The headers of the plugins that are part of the platform. */
export function platformHeaders(platform: Platform): PluginHeader[] {
  const read = platform === 'android' ? androidHeader : iosHeader
  return platformSources[platform].map(read).filter((header) => header !== null)
}

/** Methods that every plugin has. */
const inherited = [
  { name: 'addListener' },
  { name: 'removeListener' },
  { name: 'removeAllListeners', rtype: 'promise' },
  { name: 'checkPermissions', rtype: 'promise' },
  { name: 'requestPermissions', rtype: 'promise' },
]

function androidHeader(source: string): PluginHeader | null {
  const annotated = /@CapacitorPlugin(?:\(([\s\S]*?)\))?\s*(?:@[\s\S]*?)?\b(?:public )?class (\w+)/.exec(source)
  if (annotated === null) return null
  const name = /name = "(\w+)"/.exec(annotated[0])?.[1] ?? annotated[2] ?? ''
  const methods = [...source.matchAll(/@PluginMethod(?:\(([^)]*)\))?[\s\S]*?(?:void|fun) (\w+)\(/g)].map(
    ([, options = '', method = '']) => ({ name: method, ...rtypeOf(options) }),
  )
  const names = new Set(methods.map((method) => method.name))
  return { name, methods: [...methods, ...inherited.filter((method) => !names.has(method.name))] }
}

function iosHeader(source: string): PluginHeader | null {
  const name = /let jsName = "(\w+)"|CAP_PLUGIN\(\w+, "(\w+)"/
    .exec(source)
    ?.slice(1)
    .find((found) => found !== undefined)
  if (name === undefined) return null
  // One plugin lists its methods as selectors. They all return promises.
  const inSwift = source.matchAll(
    /(?:CAPPluginMethod|\.init)\((?:\s*name: "(\w+)",\s*returnType: (\w+)|#selector\((\w+)\))/g,
  )
  const inObjectiveC = source.matchAll(/CAP_PLUGIN_METHOD\((\w+), (\w+)\)/g)
  const methods = [...inSwift, ...inObjectiveC].map(([, named, type = '', selected]) => ({
    name: named ?? selected ?? '',
    ...rtypeOf(type),
  }))
  const names = new Set(methods.map((method) => method.name))
  return { name, methods: [...methods, ...inherited.filter((method) => !names.has(method.name))] }
}

function rtypeOf(text: string): { rtype?: string } {
  if (/RETURN_CALLBACK|ReturnCallback/.test(text)) return { rtype: 'callback' }
  return /RETURN_NONE|ReturnNone/.test(text) ? {} : { rtype: 'promise' }
}
