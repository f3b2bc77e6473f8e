import type { ExactPlaceFor } from '@hither/contract/areas.ts'
import type { PingId } from '@hither/contract/ids.ts'
import type { DurationMinutes, ExtensionMinutes, PingStatus, ResponseType } from '@hither/contract/pings.ts'
import type { Access } from '../ping-access/ping-access.visibility.ts'
import { minuteMs } from './harness.ts'

// A small model of the product rules for pings. Tests compare the server with it.

export const names = ['ann', 'bob', 'cat', 'eve'] as const
export type Name = (typeof names)[number]

export interface ModelPing {
  id: PingId
  owner: Name
  guests: Name[]
  isPublic: boolean
  responsesVisible: boolean
  /** Everyone if absent. */
  exactPlaceFor?: ExactPlaceFor
  createdAt: number
  activatesAt: number | null
  expiresAt: number
  seenBy: Set<Name>
  revision: number
  /** How often the place has changed while the ping was active. */
  moves: number
  isCanceled: boolean
  /** Responses by user, in the order of their first response. */
  answers: Map<Name, ResponseType>
  /** The revision that each user saw when responding. */
  revisions: Map<Name, number>
}

/** Returns the history of a new ping in a model. */
export function newHistory() {
  const answers = new Map<Name, ResponseType>()
  const revisions = new Map<Name, number>()
  return { seenBy: new Set<Name>(), answers, revisions, revision: 0, moves: 0, isCanceled: false }
}

/** A change of one field by the owner. The start is always moved by 20 minutes. */
export type Edit = 'name' | 'place' | 'start' | 'isPublic' | 'responsesVisible'

export interface Model {
  now: number
  friendships: Set<string>
  /** `ann>bob` means that ann has blocked bob. */
  blocks: Set<string>
  pings: ModelPing[]
}

export function newModel(now: number): Model {
  return { now, friendships: new Set(), blocks: new Set(), pings: [] }
}

export function pairOf(a: Name, b: Name): string {
  return [a, b].sort().join('+')
}

export function areFriends(model: Model, a: Name, b: Name): boolean {
  return model.friendships.has(pairOf(a, b))
}

export function isBlocked(model: Model, a: Name, b: Name): boolean {
  return model.blocks.has(`${a}>${b}`) || model.blocks.has(`${b}>${a}`)
}

export function friendsOf(model: Model, who: Name): Name[] {
  return names.filter((other) => areFriends(model, who, other))
}

export function statusOf(model: Model, ping: ModelPing): PingStatus {
  if (model.now >= ping.expiresAt) return 'expired'
  return ping.activatesAt !== null && model.now < ping.activatesAt ? 'pending' : 'active'
}

export function timesOf(now: number, delayMinutes: number, durationMinutes: DurationMinutes) {
  const activatesAt = delayMinutes > 0 ? now + delayMinutes * minuteMs : null
  return { createdAt: now, activatesAt, expiresAt: (activatesAt ?? now) + durationMinutes * minuteMs }
}

/** Returns the invitees who are still friends of the owner. */
export function audienceOf(model: Model, ping: ModelPing): Name[] {
  return ping.guests.filter((guest) => areFriends(model, ping.owner, guest)).sort()
}

export function accessOf(model: Model, ping: ModelPing, viewer: Name): Access | null {
  if (viewer === ping.owner) return 'owner'
  if (audienceOf(model, ping).includes(viewer)) return 'invitee'
  return ping.isPublic && statusOf(model, ping) !== 'expired' && !isBlocked(model, ping.owner, viewer) ? 'link' : null
}

/**
 * Applies a change: `minutes` more, or `null` to end the ping now. Returns the status the server must answer with; the
 * model changes only on 200.
 */
export function change(model: Model, ping: ModelPing, who: Name, minutes: ExtensionMinutes | null): number {
  const access = accessOf(model, ping, who)
  if (access !== 'owner') return access === 'invitee' ? 403 : 404
  if (statusOf(model, ping) !== 'active') return 409
  const end = minutes === null ? model.now : ping.expiresAt + minutes * minuteMs
  if (end - (ping.activatesAt ?? ping.createdAt) > 240 * minuteMs) return 409
  ping.expiresAt = end
  return 200
}

/** Applies an edit like `change`. */
export function edit(model: Model, ping: ModelPing, who: Name, what: Edit): number {
  const refusal = refusalOf(model, ping, who)
  if (refusal !== null) return refusal
  const isActive = statusOf(model, ping) === 'active'
  if (isActive && (what === 'start' || (what === 'place' && ping.moves === 3))) return 409
  if (what === 'isPublic' || what === 'responsesVisible') ping[what] = !ping[what]
  if (what === 'place') ping.moves += isActive ? 1 : 0
  if (what === 'start' && ping.activatesAt !== null) {
    ping.activatesAt += 20 * minuteMs
    ping.expiresAt += 20 * minuteMs
  }
  if (what === 'place' || what === 'start') ping.revision++
  return 200
}

export function invite(model: Model, ping: ModelPing, who: Name, guest: Name): number {
  const refusal = refusalOf(model, ping, who)
  if (refusal !== null) return refusal
  if (!areFriends(model, who, guest)) return 422
  if (!ping.guests.includes(guest)) ping.guests.push(guest)
  return 200
}

export function uninvite(model: Model, ping: ModelPing, who: Name, guest: Name): number {
  const refusal = refusalOf(model, ping, who)
  if (refusal !== null) return refusal
  ping.guests = ping.guests.filter((other) => other !== guest)
  ping.answers.delete(guest)
  ping.seenBy.delete(guest)
  return 204
}

export function cancel(model: Model, ping: ModelPing, who: Name): number {
  const refusal = refusalOf(model, ping, who)
  if (refusal === 409 && ping.isCanceled) return 200
  if (refusal !== null) return refusal
  Object.assign(ping, { isCanceled: true, expiresAt: model.now })
  return 200
}

/** Only the owner changes a ping, before its end. */
function refusalOf(model: Model, ping: ModelPing, who: Name): number | null {
  const access = accessOf(model, ping, who)
  if (access !== 'owner') return access === 'invitee' ? 403 : 404
  return statusOf(model, ping) === 'expired' ? 409 : null
}

/** Whether a viewer who sees the ping may know its exact place. */
export function knowsPlace(model: Model, ping: ModelPing, viewer: Name): boolean {
  const { exactPlaceFor = 'everyone' } = ping
  if (exactPlaceFor === 'everyone' || viewer === ping.owner) return true
  if (statusOf(model, ping) === 'expired' || accessOf(model, ping, viewer) !== 'invitee') return false
  return exactPlaceFor === 'invited' || ping.answers.get(viewer) === 'accepted'
}

/** Changes who sees the exact place. Returns the status the server must answer with; the model changes only on 200. */
export function changePlace(model: Model, ping: ModelPing, who: Name, exactPlaceFor: ExactPlaceFor): number {
  const refusal = refusalOf(model, ping, who)
  if (refusal !== null) return refusal
  ping.exactPlaceFor = exactPlaceFor
  return 200
}

/** Returns the invitees and responses that a viewer who sees the whole ping must be shown. */
export function peopleShownTo(model: Model, ping: ModelPing, viewer: Name) {
  const everyone = audienceOf(model, ping)
  const audience = everyone.filter((guest) => !isBlocked(model, guest, viewer))
  const seesAll = viewer === ping.owner || ping.responsesVisible
  return {
    guests: audience.map((guest) =>
      viewer === ping.owner || viewer === guest ? `${guest} ${ping.seenBy.has(guest)}` : `${guest} undefined`,
    ),
    answers: [...ping.answers]
      .filter(([who]) => audience.includes(who) && (seesAll || who === viewer))
      .map(([who, type]) => `${who} ${type} ${ping.revisions.get(who)}`)
      .sort(),
  }
}

/** Returns the ids of the ping list of a viewer, in order. */
export function listOf(model: Model, viewer: Name): PingId[] {
  return model.pings
    .filter((ping) => ['owner', 'invitee'].includes(accessOf(model, ping, viewer) ?? ''))
    .filter((ping) => statusOf(model, ping) !== 'expired')
    .sort((a, b) => rank(model, a) - rank(model, b) || newestFirst(a, b))
    .map(({ id }) => id)
}

/** Returns the ids of My Pins of an owner, in order. */
export function myPinsOf(model: Model, owner: Name): PingId[] {
  const activation = (ping: ModelPing) => (statusOf(model, ping) === 'pending' ? (ping.activatesAt ?? 0) : 0)
  return model.pings
    .filter((ping) => ping.owner === owner)
    .sort((a, b) => rank(model, a) - rank(model, b) || activation(a) - activation(b) || newestFirst(a, b))
    .map(({ id }) => id)
}

function rank(model: Model, ping: ModelPing): number {
  return ['active', 'pending', 'expired'].indexOf(statusOf(model, ping))
}

function newestFirst(a: ModelPing, b: ModelPing): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}
