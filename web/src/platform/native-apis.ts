import { serverOrigin } from '../api/base-address.ts'
import { Clipboard, Geolocation as NativeGeolocation, Share } from './native-plugins.ts'

/**
 * Replaces browser APIs with those of the phone, so that no screen needs to know where it runs. Links that leave the
 * app use the server's address, because an address of the packaged app means nothing elsewhere.
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
  const shareData = { title, text, url: url === undefined ? undefined : outward(new URL(url, location.href).href) }
  try {
    await Share.share(Object.fromEntries(Object.entries(shareData).filter(([, value]) => value !== undefined)))
  } catch (error) {
    // Browsers reject with this error if the user closes the share sheet.
    if (/cancell?ed/i.test(String((error as Error).message))) throw new DOMException('Share canceled', 'AbortError')
    throw new DOMException('Sharing failed', 'DataError')
  }
}

/** The plugin requests the permission itself. Its codes are mapped to those of the browser. */
function geolocationOf(own: Geolocation | undefined): Geolocation {
  return {
    getCurrentPosition(found, failed, options) {
      NativeGeolocation.getCurrentPosition(options ?? {}).then(
        (position) => found(position as unknown as GeolocationPosition),
        (error: { code?: string; message?: string }) => failed?.(positionError(error)),
      )
    },
    watchPosition: (...args) => own?.watchPosition(...args) ?? 0,
    clearWatch: (id) => own?.clearWatch(id),
  }
}

/**
 * The plugin's codes for a refusal: by the user or by the phone's settings, and by a missing permission in the package.
 */
const denied = ['OS-PLUG-GLOC-0003', 'OS-PLUG-GLOC-0018']
const timedOut = ['OS-PLUG-GLOC-0010']

function positionError({ code = '', message = '' }: { code?: string; message?: string }): GeolocationPositionError {
  const codes = { PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 } as const
  return { ...codes, message, code: denied.includes(code) ? 1 : timedOut.includes(code) ? 3 : 2 }
}
