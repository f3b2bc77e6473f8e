import { existsSync } from 'node:fs'
import type { Plugin, Rolldown } from 'vite'

type Uses = (file: string) => boolean

const usesApp = usesOneOf('/app.tsx')
const usesLogin = usesOneOf('/auth/LoginScreen.tsx')
const usesHome = usesOneOf(
  '/shell/Shell.tsx',
  '/home/HomeScreen.tsx',
  '/notification-events/NotificationEvents.tsx',
  // Runs before the first screen, when the texts of the live channel are not loaded yet.
  '/chat/dates/due-chats.ts',
)
const usesHomeMap = usesOneOf('/map/engine/MapCanvas.tsx', '/map/pins/PinsLayer.tsx', '/map/location/OwnPosition.tsx')
const usesPlaceView = usesOneOf('/map/place-view/PlaceViewMap.tsx')
const usesDialogs = usesOneOf('/ui/ConfirmDialog.tsx', '/shell/AccountMenuList.tsx')

/** The chunks of the first screens, one per group of screens, after those that every address needs. */
const screenGroups: { name: string; has: (uses: Uses) => boolean }[] = [
  { name: 'app', has: usesApp },
  { name: 'both', has: (uses) => usesLogin(uses) && usesHome(uses) },
  { name: 'overlay', has: (uses) => usesLogin(uses) && usesDialogs(uses) },
  { name: 'visitor', has: usesLogin },
  { name: 'home', has: usesHome },
  { name: 'live', has: usesOneOf('/live/live-client.ts') },
  // What every map needs besides MapLibre, so that the page of a pin does not load the tools of Home's map.
  { name: 'drawing', has: (uses) => usesHomeMap(uses) && usesPlaceView(uses) },
  { name: 'map', has: usesHomeMap },
  { name: 'message', has: usesOneOf('/ui/notices/MessageBar.tsx') },
  { name: 'dialog', has: usesDialogs },
]

/** Throws an error if a file of the web app does not exist, for example because it was moved. */
function usesOneOf(...files: string[]) {
  for (const file of files)
    if (!existsSync(new URL(`../src${file}`, import.meta.url))) throw new Error(`web/src${file} does not exist`)
  return (uses: Uses) => files.some(uses)
}

/**
 * Nothing calls this part of the theme, and no chunk contains it. By what it imports, each form control would be needed by all
 * screens.
 */
const unused = /\/styles\/enhanceHighContrast\.mjs$/

const native = /\/platform\/native-|\/@capacitor\/|\/@aparajita\//

/** Returns true for modules that only the packaged app runs. */
export function isNative(moduleIds: readonly string[]): boolean {
  return moduleIds.some((id) => native.test(id))
}

/** Writes into the page which chunks its first screen needs: see the script of `index.html`. */
export function firstScreens(): Plugin {
  const needs = { home: ['app', 'both', 'home'], visitor: ['app', 'both', 'visitor'] }
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
 * Assigns a module to the first group that needs it. MapLibre and the modules of later screens are left to the bundler.
 * Chunks of a kilobyte would cost more to request than to send.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const known = new Map<string, readonly string[]>()
  const groups = screenGroups.map(({ name, has }, index) => ({
    debugName: name,
    // Earlier groups have a higher priority.
    priority: screenGroups.length - index,
    name: (id: string, bundle: Rolldown.ChunkingContext) => {
      if (native.test(id) || /\/maplibre(-gl)?[./]/.test(id)) return null
      const users = usersOf(id, bundle)
      return has((file) => users.some((user) => user.endsWith(file))) ? name : null
    },
  }))
  return [{ name: 'start', tags: ['$initial'], priority: screenGroups.length + 1 }, ...groups]

  /** Returns the module and all modules that import it statically. */
  function usersOf(id: string, bundle: Rolldown.ChunkingContext): readonly string[] {
    const before = known.get(id)
    if (before !== undefined) return before
    const users = new Set([id])
    for (const user of users)
      for (const importer of bundle.getModuleInfo(user)?.importers ?? [])
        if (!unused.test(importer)) users.add(importer)
    known.set(id, [...users])
    return [...users]
  }
}
