import { type PingId } from '@hither/contract/ids.ts'
import {
  type DurationMinutes,
  type ExtensionMinutes,
  type PingStatus,
  type ResponseType,
} from '@hither/contract/pings.ts'
import { minuteMs } from './harness.ts'

// The rules of the product on pings in a few lines, for tests to hold the server against.

export const names = ['ann', 'bob', 'cat', 'eve'] as const
export type Name = (typeof names)[number]

export interface ModelPing {
  id: PingId
  owner: Name
  guests: Name[]
  isPublic: boolean
  responsesVisible: boolean
  createdAt: number
  activatesAt: number | null
  expiresAt: number
  seenBy: Set<Name>
  /** In the order in which they were first given. */
  answers: Map<Name, ResponseType>
}

export interface Model {
  now: number
  friendships: Set<string>
  /** `ann>bob`: ann has blocked bob. */
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

/** Guests who still are friends. */
export function audienceOf(model: Model, ping: ModelPing): Name[] {
  return ping.guests.filter((guest) => areFriends(model, ping.owner, guest)).sort()
}

export function sightOf(model: Model, ping: ModelPing, viewer: Name): 'owner' | 'invitee' | 'stranger' | null {
  if (viewer === ping.owner) return 'owner'
  if (audienceOf(model, ping).includes(viewer)) return 'invitee'
  return ping.isPublic && statusOf(model, ping) !== 'expired' && !isBlocked(model, ping.owner, viewer)
    ? 'stranger'
    : null
}

/** Minutes more, or null for the end. Answers with the status that the server must, and has done it where that is 200. */
export function change(model: Model, ping: ModelPing, who: Name, minutes: ExtensionMinutes | null): number {
  const sight = sightOf(model, ping, who)
  if (sight !== 'owner') return sight === 'invitee' ? 403 : 404
  if (statusOf(model, ping) !== 'active') return 409
  const end = minutes === null ? model.now : ping.expiresAt + minutes * minuteMs
  if (end - (ping.activatesAt ?? ping.createdAt) > 240 * minuteMs) return 409
  ping.expiresAt = end
  return 200
}

/** What a viewer of the whole ping must be shown of the people in it. */
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
      .map(([who, type]) => `${who} ${type}`)
      .sort(),
  }
}

/** Ids, in order. */
export function listOf(model: Model, viewer: Name): PingId[] {
  return model.pings
    .filter((ping) => ['owner', 'invitee'].includes(sightOf(model, ping, viewer) ?? ''))
    .filter((ping) => statusOf(model, ping) !== 'expired')
    .sort((a, b) => rank(model, a) - rank(model, b) || newestFirst(a, b))
    .map(({ id }) => id)
}

/** Ids, in order. */
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
