import { formattingLocale } from './language.ts'

const listeners = new Set<() => void>()
let zone = zoneOfDevice()

/** Returns the IANA identifier of the viewer's time zone. */
export function zoneOfDevice(): string {
  return new Intl.DateTimeFormat(formattingLocale).resolvedOptions().timeZone
}

/** The zone in which the page shows times. */
export function shownZone(): string {
  return zone
}

/** Follows the device into another time zone. */
export function followTimeZone(): void {
  const current = zoneOfDevice()
  if (current === zone) return
  zone = current
  for (const listener of listeners) listener()
}

export function subscribeToZone(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

globalThis.document?.addEventListener?.('visibilitychange', followTimeZone)
