import { type Plugin, type Rolldown } from 'vite'

type Uses = (file: string) => boolean

const isOfHome = (uses: Uses) =>
  ['/shell/Shell.tsx', '/home/HomeScreen.tsx', '/notifications/NotificationEvents.tsx'].some(uses)

/** What goes with a screen that nearly everybody sees, in one piece each, after what comes first whatever the address. */
const beginnings: { name: string; has: (uses: Uses) => boolean }[] = [
  { name: 'both', has: (uses) => uses('/auth/LoginScreen.tsx') && isOfHome(uses) },
  { name: 'visitor', has: (uses) => uses('/auth/LoginScreen.tsx') },
  { name: 'home', has: isOfHome },
  { name: 'live', has: (uses) => uses('/live/live-client.ts') },
  { name: 'map', has: (uses) => ['/map/MapCanvas.tsx', '/map/PinsLayer.tsx', '/map/OwnPosition.tsx'].some(uses) },
  { name: 'message', has: (uses) => uses('/ui/MessageBar.tsx') },
  { name: 'dialog', has: (uses) => ['/ui/ConfirmDialog.tsx', '/shell/AccountMenuList.tsx'].some(uses) },
]

const native = /\/platform\/native-|\/@capacitor\/|\/@aparajita\//

/** What only the packaged app runs. */
export function isNative(moduleIds: readonly string[]): boolean {
  return moduleIds.some((id) => native.test(id))
}

/** Writes into the page what its first screen needs besides the app itself: see the script of `index.html`. */
export function firstScreens(): Plugin {
  const needs = { home: ['both', 'home'], visitor: ['both', 'visitor'] }
  return {
    name: 'first-screens',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        return Object.entries(needs).reduce((page, [screen, names]) => {
          const files = chunks.filter(({ name }) => names.includes(name)).map(({ fileName }) => `/${fileName}`)
          if (files.length !== names.length) throw new Error(`No chunks of these names: ${names.join()}`)
          return page.replace(`/* ${screen} */ []`, JSON.stringify(files))
        }, html)
      },
    },
  }
}

/**
 * A module goes to the first of the beginnings that cannot do without it; the engine of the map and what only later screens
 * have are left to the bundler. Chunks of a kilobyte would cost more to ask for than to send.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const known = new Map<string, readonly string[]>()
  const groups = beginnings.map(({ name, has }, index) => ({
    debugName: name,
    // What this one needs is its own, unless one before it has it.
    priority: beginnings.length - index,
    name: (id: string, bundle: Rolldown.ChunkingContext) => {
      if (native.test(id) || /\/maplibre(-gl)?[./]/.test(id)) return null
      const users = usersOf(id, bundle)
      return has((file) => users.some((user) => user.endsWith(file))) ? name : null
    },
  }))
  return [{ name: 'app', tags: ['$initial'], priority: beginnings.length + 1 }, ...groups]

  /** The module itself, and all that load it at once with themselves. */
  function usersOf(id: string, bundle: Rolldown.ChunkingContext): readonly string[] {
    const before = known.get(id)
    if (before !== undefined) return before
    const users = new Set([id])
    for (const user of users) for (const importer of bundle.getModuleInfo(user)?.importers ?? []) users.add(importer)
    known.set(id, [...users])
    return [...users]
  }
}
