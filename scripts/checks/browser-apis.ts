import { join } from 'node:path'
import { root } from '../run.ts'
import { type Module, readModules } from './module-imports.ts'
import { type Node, visitNodes } from './syntax.ts'

/**
 * What a browser may lack or refuse: on pages without HTTPS, in privacy modes, in older versions. Each has the modules of the web
 * app that may use it, because they do without where it fails; the other modules use those. A name with a dot is a property.
 */
const uses: Readonly<Record<string, readonly string[]>> = {
  localStorage: ['device/storage.ts'],
  sessionStorage: ['device/storage.ts'],
  indexedDB: ['device/database.ts'],
  // Workers exist on pages with HTTPS only; what runs in one needs no check.
  caches: ['i18n/texts.ts', 'service-worker/service-worker.ts', 'service-worker/text-cache.ts'],
  Notification: [
    'notification-events/Notifications.tsx',
    'notification-events/use-notification-cleanup.ts',
    'notifications/push/push-device.ts',
    'notifications/push/push-state.ts',
    'pwa/offline-texts.ts',
    'service-worker/push.ts',
  ],
  PublicKeyCredential: ['auth/passkeys/can-use-passkeys.ts', 'auth/passkeys/passkey-client.ts'],
  BarcodeDetector: ['friend-links/code/qr-decoder.ts'],
  cookieStore: [],
  'crypto.randomUUID': [],
  'crypto.subtle': ['auth/provider/challenge.ts'],
  'navigator.clipboard': ['device/clipboard.ts'],
  'navigator.credentials': [],
  'navigator.geolocation': ['map/location/geolocation.ts', 'pings/trips/estimator.ts', 'platform/native-apis.ts'],
  'navigator.locks': ['device/locks.ts'],
  'navigator.mediaDevices': ['friend-links/code/use-scanner.ts'],
  'navigator.permissions': ['map/location/geolocation.ts', 'notifications/push/use-push-state.ts'],
  'navigator.serviceWorker': [
    'i18n/texts.ts',
    'notification-events/use-notification-cleanup.ts',
    'notification-events/use-push-messages.ts',
    'notifications/push/NotificationSuggestion.tsx',
    'notifications/push/push-device.ts',
    'pwa/registration.ts',
  ],
  'navigator.setAppBadge': ['notification-events/use-notification-cleanup.ts', 'service-worker/push.ts'],
  'navigator.clearAppBadge': ['notification-events/use-notification-cleanup.ts', 'service-worker/clear-push.ts'],
  'navigator.share': ['friend-links/use-link-sharing.ts', 'pings/share-ping.ts'],
  'navigator.storage': [],
  'navigator.wakeLock': [],
  // Newer than the browsers that the app supports.
  'AbortSignal.any': [],
  'AbortSignal.timeout': [],
  'Promise.withResolvers': [],
}

type Member = { object: Node & { name?: string; property?: { name?: string } }; property: { name?: string } }

/** One sentence for each use of such an API in a module that has no way without it. */
export function findBrowserApis(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const found = new Set<string>()
      const note = (name: string) => {
        if (Object.hasOwn(uses, name) && !uses[name]?.includes(path)) found.add(name)
      }
      visitNodes({ path, text }, (node) => {
        if (node.type === 'Identifier') note(String(node['name']))
        if (node.type === 'Literal') note(String(node['value']))
        if (node.type !== 'MemberExpression') return
        const { object, property } = node as unknown as Member
        // `globalThis.navigator.locks` like `navigator.locks`.
        note(`${object.name ?? object.property?.name}.${property.name}`)
      })
      return [...found].map((name) => `${path}: ${name} may be missing; use a module of scripts/checks/browser-apis.ts`)
    })
}

if (import.meta.main) {
  const found = findBrowserApis(readModules(join(root, 'web/src')))
  for (const text of found) process.stderr.write(`web/src/${text}\n`)
  if (found.length > 0) process.exitCode = 1
}
