import type { PingId } from '@hither/contract/ids.ts'
import { createStore, useStore } from 'zustand'
import { serverNow } from '../../api/server-time.ts'
import { deviceStorage } from '../../device/storage.ts'
import { hasResponse, isDue, isOutdated, type StoredGuest, withoutErased } from './guest.rules.ts'
import { guestKeys as keys } from './storage-keys.ts'

type Guests = Readonly<Record<string, StoredGuest>>

const guests = createStore<Guests>(readGuests)
forgetErasedGuests()

/** Tokens of opened links whose pings have another response on this device. Never stored, because the user has not chosen. */
const opened = createStore<Readonly<Record<string, string>>>(() => ({}))

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (key === keys.guests) guests.setState(readGuests(), true)
  })
}

/** The response to this ping that was given on this device without an account. It belongs to the device, not to a session. */
export function useStoredGuest(pingId: PingId): StoredGuest | undefined {
  return useStore(guests, (stored) => stored[pingId])
}

export function storedGuest(pingId: PingId): StoredGuest | undefined {
  return guests.getState()[pingId]
}

/** Replaces the response to a ping; null removes it. */
export function storeGuest(pingId: PingId, guest: StoredGuest | null) {
  // Another tab may have stored a response to another ping.
  const { [pingId]: _before, ...others } = readGuests()
  const next = guest === null ? others : { ...others, [pingId]: guest }
  guests.setState(next, true)
  writeGuests(next)
}

/** Removes the responses that the server has certainly erased. */
export function forgetErasedGuests() {
  if (deviceStorage.getItem(keys.guests) === null) return
  guests.setState(readGuests(), true)
  writeGuests(guests.getState())
}

/** Lists the pings that ended a day ago, unless their owners have moved the start. */
export function outdatedPings(): PingId[] {
  return pingsWith((guest) => isOutdated(guest, serverNow()))
}

/** Lists the pings whose answer, or its removal, still has to be sent to the server. */
export function undeliveredPings(): PingId[] {
  return pingsWith((guest) => isDue(guest, serverNow()))
}

function pingsWith(isMeant: (guest: StoredGuest) => boolean): PingId[] {
  return Object.entries(guests.getState()).flatMap(([id, guest]) => (isMeant(guest) ? [id as PingId] : []))
}

export function useOpenedToken(pingId: PingId): string | undefined {
  return useStore(opened, (tokens) => tokens[pingId])
}

/**
 * Stores the token of an opened link, unless the device has another response to the ping: then the user decides. A response that
 * was withdrawn or removed on this device does not come back with its own link.
 */
export function openToken(pingId: PingId, token: string) {
  const present = storedGuest(pingId)
  if (present?.token === token) return
  if (!hasResponse(present)) adoptToken(pingId, token)
  else opened.setState({ [pingId]: token })
}

/** Stores a token whose response the server has. */
export function adoptToken(pingId: PingId, token: string) {
  const adopted_at = new Date(serverNow()).toISOString()
  storeGuest(pingId, { token, name: '', expires_at: null, adopted_at, isSent: true, unsent: null, isWithdrawn: false })
  closeToken(pingId)
}

export function closeToken(pingId: PingId) {
  const { [pingId]: _closed, ...others } = opened.getState()
  opened.setState(others, true)
}

/** 32 random bytes in base64url. */
export function newGuestToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

/** The name that was last used on this device, for the next ping. */
export function rememberedName(): string {
  return deviceStorage.getItem(keys.name) ?? ''
}

export function rememberName(name: string) {
  deviceStorage.setItem(keys.name, name)
}

function readGuests(): Guests {
  try {
    return withoutErased(JSON.parse(deviceStorage.getItem(keys.guests) ?? '{}') as Guests, serverNow())
  } catch {
    return {}
  }
}

function writeGuests(next: Guests) {
  if (Object.keys(next).length === 0) deviceStorage.removeItem(keys.guests)
  else deviceStorage.setItem(keys.guests, JSON.stringify(next))
}
