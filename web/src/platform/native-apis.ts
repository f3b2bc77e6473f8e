import { serverOrigin } from '../api/base-address.ts'
import { Clipboard, Geolocation as NativeGeolocation, Share } from './native-plugins.ts'

/**
 * Puts the phone's own abilities where the app looks for the browser's, so that no screen has to know where it runs. What
 * leaves the app names the server: an address of the shell's own pages means nothing elsewhere.
 */
export function provideBrowserApis(): void {
  provide('geolocation', geolocationOf(navigator.geolocation))
  provide('share', share)
  provide('clipboard', { writeText: (text: string) => Clipboard.write({ string: outward(text) }) })
}

function provide(name: 'geolocation' | 'share' | 'clipboard', value: unknown) {
  Object.defineProperty(navigator, name, { value, configurable: true })
}

function outward(text: string): string {
  return text.startsWith(`${location.origin}/`) ? serverOrigin() + text.slice(location.origin.length) : text
}

async function share({ title, text, url }: ShareData): Promise<void> {
  const given = { title, text, url: url === undefined ? undefined : outward(new URL(url, location.href).href) }
  try {
    await Share.share(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
  } catch (error) {
    // As browsers tell that somebody closed the sheet.
    if (/cancell?ed/i.test(String((error as Error).message))) throw new DOMException('Share canceled', 'AbortError')
    throw new DOMException('Sharing failed', 'DataError')
  }
}

/** The plugin asks for the permission itself; its codes are told as the browser's. */
function geolocationOf(own: Geolocation | undefined): Geolocation {
  return {
    getCurrentPosition(found, failed, options) {
      NativeGeolocation.getCurrentPosition(options ?? {}).then(
        (position) => found(position as unknown as GeolocationPosition),
        (error: { code?: string; message?: string }) => failed?.(positionError(error)),
      )
    },
    watchPosition: (...given) => own?.watchPosition(...given) ?? 0,
    clearWatch: (id) => own?.clearWatch(id),
  }
}

/** The plugin's names for a refusal: by the user, by the phone's settings, by the package's own list of permissions. */
const denied = ['OS-PLUG-GLOC-0003', 'OS-PLUG-GLOC-0018']
const timedOut = ['OS-PLUG-GLOC-0010']

function positionError({ code = '', message = '' }: { code?: string; message?: string }): GeolocationPositionError {
  const codes = { PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 } as const
  return { ...codes, message, code: denied.includes(code) ? 1 : timedOut.includes(code) ? 3 : 2 }
}
