import type { ConversationId, MessageId, PingId } from '@hither/contract/ids.ts'
import type { Guest, Ping, PingResponse } from '@hither/contract/pings.ts'
import type { Trip } from '@hither/contract/trips.ts'
import {
  areFriends,
  audienceOf,
  isBlocked,
  knowsPlace,
  type Model,
  type ModelPing,
  type Name,
} from '../../src/pings/pings.model.ts'

// The rules of who sees what, as sentences about single facts. They say nothing about how facts come about: what exists is
// what the owner of a pin sees.

/** A pin in the model, with everybody who was ever invited: they do not respond as guests. */
export interface Pin extends ModelPing {
  readonly label: string
  readonly everInvited: Set<Name>
}

export interface SentMessage {
  readonly id: MessageId
  readonly chat: ConversationId
  readonly sender: Name
  content: string
  isDeleted: boolean
  readonly reactions: Map<Name, string>
}

export interface Chat {
  readonly id: ConversationId
  readonly label: string
  readonly isDirect: boolean
  readonly members: Set<Name>
}

export interface World extends Model {
  pings: Pin[]
  readonly chats: Chat[]
  readonly messages: SentMessage[]
}

/** What the owner of a pin sees. */
export type OwnersView = Pick<Ping, 'id' | 'name' | 'status' | 'responses' | 'guests' | 'trips'>

type NameOf = (userId: string) => Name | null

/** The facts that each viewer sees, in the form of `factsOf`. */
export function factsAllowed(
  world: World,
  viewer: Name,
  views: ReadonlyMap<PingId, OwnersView>,
  nameOf: NameOf,
): string[] {
  const people = [...world.friendships].map((pair) => pair.split('+')).filter((pair) => pair.includes(viewer))
  return [
    ...people
      .flat()
      .filter((name) => name !== viewer)
      .map((name) => `friend ${name}`),
    ...world.pings.flatMap((pin) => {
      const view = views.get(pin.id)
      return view ? pinFacts(world, viewer, pin, view, nameOf) : []
    }),
    ...world.chats.flatMap((chat) => chatFacts(world, viewer, chat)),
  ].sort()
}

function pinFacts(world: World, viewer: Name, pin: Pin, view: OwnersView, nameOf: NameOf): string[] {
  const isOwner = viewer === pin.owner
  const audience = audienceOf(world, pin)
  if (!isOwner && !audience.includes(viewer)) return []
  const isHidden = (name: Name | null) => name !== null && isBlocked(world, viewer, name)
  const isGoing = view.responses.some((one) => nameOf(one.user_id) === viewer && one.response_type === 'accepted')
  const answers = view.responses.filter(({ user_id }) => {
    const name = nameOf(user_id)
    if (name === null || !audience.includes(name) || isHidden(name)) return false
    return isOwner || name === viewer || pin.responsesVisible
  })
  const guests = view.guests.filter(
    ({ user_id, state }) =>
      isOwner || (pin.responsesVisible && state === 'approved' && !isHidden(user_id === null ? null : nameOf(user_id))),
  )
  const trips = view.trips.filter(({ user_id }) => {
    const name = nameOf(user_id)
    if (isHidden(name)) return false
    return isOwner || name === viewer || (pin.responsesVisible && isGoing)
  })
  return [
    pinFact(pin.label, view.status, view.name, knowsPlace(world, pin, viewer)),
    ...answers.map((answer) => answerFact(pin.label, answer)),
    ...guests.map((guest) => guestFact(pin.label, guest)),
    ...trips.map((trip) => tripFact(pin.label, trip)),
  ]
}

function chatFacts(world: World, viewer: Name, { id, label, isDirect, members }: Chat): string[] {
  if (!members.has(viewer)) return []
  const [other] = [...members].filter((name) => name !== viewer)
  if (isDirect && other !== undefined && isBlocked(world, viewer, other)) return []
  const messages = world.messages.filter((message) => message.chat === id && !message.isDeleted)
  return [
    `chat ${label}`,
    ...messages.flatMap(({ content, reactions }) => [
      messageFact(label, content),
      ...[...reactions].map(([name, emoji]) => reactionFact(label, content, emoji, name)),
    ]),
  ]
}

/** Those to whom changes of a profile are shown. */
export function mayKnow(world: World, viewer: Name, name: Name): boolean {
  return viewer === name || areFriends(world, viewer, name)
}

export const pinFact = (pin: string, status: string, name: string, isExact: boolean) =>
  `${pin} ${status} "${name}" ${isExact ? 'exact' : 'area'}`
export const answerFact = (
  pin: string,
  { username, response_type }: Pick<PingResponse, 'username' | 'response_type'>,
) => `${pin} answer ${username} ${response_type}`
export const guestFact = (
  pin: string,
  { id, name, response_type, state }: Pick<Guest, 'id' | 'name' | 'response_type' | 'state'>,
) => `${pin} guest ${name} ${response_type} ${state} ${id}`
export const tripFact = (
  pin: string,
  { username, state, arrives_at }: Pick<Trip, 'username' | 'state' | 'arrives_at'>,
) => `${pin} trip ${username} ${state} ${arrives_at}`
export const messageFact = (chat: string, content: string) => `chat ${chat} message "${content}"`
export const reactionFact = (chat: string, content: string, emoji: string, name: string) =>
  `chat ${chat} message "${content}" ${emoji} ${name}`
