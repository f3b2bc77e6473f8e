import { randomUUID } from 'node:crypto'
import { type UserId } from '@hither/contract/ids.ts'
import { type Channel } from './channel.ts'
import { type Payload } from './protocol.ts'

export const onlineUsersTopic = 'realtime:online-users'

/** Who is online, on this node. */
export interface Presence {
  /** The channel may receive from now on; where it asked for presence it is sent the whole state, also on each call after. */
  enter(channel: Channel): void
  /** The channel's person is online through it, as soon as it may receive. Again is nothing new. */
  track(channel: Channel): void
  untrack(channel: Channel): void
  /** The channel has ended. Unless `isClean`, its person stays online for the grace time: they mostly come back. */
  leave(channel: Channel, isClean: boolean): void
  /** These two began or ceased to be friends: each sees the other appear, or vanish at once. */
  friendsChanged(a: UserId, b: UserId): void
  isOnline(userId: UserId): boolean
  stop(): void
}

export interface PresenceDeps {
  readonly friendsOf: (userId: UserId) => Promise<readonly UserId[]>
  readonly onOnlineChange: (userId: UserId, isOnline: boolean) => void
  readonly onError: (error: unknown) => void
  readonly now: () => Date
  readonly graceMs: number
}

interface Meta {
  readonly phx_ref: string
  readonly user_id: UserId
  readonly online_at: string
}

/** One way in which a person is online: through a channel, or for the grace time through none. */
interface Track {
  readonly meta: Meta
  channel: Channel | null
  timer: NodeJS.Timeout | null
}

interface Person {
  readonly userId: UserId
  friends: ReadonlySet<UserId>
  loaded: Promise<void>
  /** Those that were sent the state, and so must be sent every difference. */
  readonly watchers: Set<Channel>
  readonly channels: Set<Channel>
  tracks: readonly Track[]
}

/**
 * Presence of `online-users`: each person is shown to themselves and their friends, under their own id, whatever key or
 * payload their client sends. On any other topic the state is empty and stays so.
 */
export function createPresence({ friendsOf, onOnlineChange, onError, now, graceMs }: PresenceDeps): Presence {
  const people = new Map<UserId, Person>()
  const wantsTrack = new WeakSet<Channel>()
  let friendChecks = Promise.resolve()

  return {
    enter(channel) {
      if (channel.topic !== onlineUsersTopic) {
        if (channel.config.wantsPresence) channel.tell('presence_state', {})
        return
      }
      const person = personOf(channel.caller.userId)
      person.channels.add(channel)
      person.loaded.then(
        () => {
          if (!person.channels.has(channel)) return
          if (wantsTrack.has(channel)) addTrack(person, channel)
          if (!channel.config.wantsPresence) return
          channel.tell('presence_state', stateFor(person))
          person.watchers.add(channel)
        },
        (error) => {
          onError(error)
          forget(person, channel)
          channel.fail('Presence is not available')
        },
      )
    },
    track(channel) {
      if (channel.topic !== onlineUsersTopic) return
      wantsTrack.add(channel)
      const person = people.get(channel.caller.userId)
      if (!person?.channels.has(channel)) return
      person.loaded.then(
        () => {
          // With an expired token they are entered again once it is renewed.
          if (person.channels.has(channel) && wantsTrack.has(channel) && channel.mayReceive()) addTrack(person, channel)
        },
        // Whoever entered hears of it.
        () => {},
      )
    },
    untrack(channel) {
      wantsTrack.delete(channel)
      const person = people.get(channel.caller.userId)
      const track = person?.tracks.find((track) => track.channel === channel)
      if (person && track) removeTrack(person, track)
    },
    leave(channel, isClean) {
      wantsTrack.delete(channel)
      const person = people.get(channel.caller.userId)
      if (!person) return
      const track = person.tracks.find((track) => track.channel === channel)
      if (track && isClean) removeTrack(person, track)
      else if (track) {
        track.channel = null
        track.timer = setTimeout(() => removeTrack(person, track), graceMs)
      }
      forget(person, channel)
    },
    friendsChanged(a, b) {
      setFriends(a, b, false)
      // One after another: the last answer is then the newest, whatever order the reads finish in.
      friendChecks = friendChecks.then(() => checkFriends(a, b)).catch(onError)
    },
    isOnline: (userId) => (people.get(userId)?.tracks.length ?? 0) > 0,
    stop() {
      for (const { tracks } of people.values()) for (const { timer } of tracks) clearTimeout(timer ?? undefined)
      people.clear()
    },
  }

  function personOf(userId: UserId): Person {
    const known = people.get(userId)
    if (known) return known
    const person: Person = {
      userId,
      friends: new Set(),
      loaded: Promise.resolve(),
      watchers: new Set(),
      channels: new Set(),
      tracks: [],
    }
    person.loaded = friendsOf(userId).then((friends) => {
      person.friends = new Set(friends)
    })
    people.set(userId, person)
    return person
  }

  function forget(person: Person, channel: Channel): void {
    person.channels.delete(channel)
    person.watchers.delete(channel)
    if (person.channels.size === 0 && person.tracks.length === 0 && people.get(person.userId) === person)
      people.delete(person.userId)
  }

  function addTrack(person: Person, channel: Channel): void {
    if (person.tracks.some((track) => track.channel === channel)) return
    // Back within the grace time: they were never gone, so nobody is told anything.
    const heldTrack = person.tracks.find((track) => track.channel === null)
    if (heldTrack) {
      clearTimeout(heldTrack.timer ?? undefined)
      heldTrack.channel = channel
      return
    }
    const meta = { phx_ref: randomUUID(), user_id: person.userId, online_at: now().toISOString() }
    person.tracks = [...person.tracks, { meta, channel, timer: null }]
    tell([person, ...friendsHereOf(person)], diff(person.userId, [meta], []))
    if (person.tracks.length === 1) onOnlineChange(person.userId, true)
  }

  function removeTrack(person: Person, track: Track): void {
    person.tracks = person.tracks.filter((other) => other !== track)
    tell([person, ...friendsHereOf(person)], diff(person.userId, [], [track.meta]))
    if (person.tracks.length > 0) return
    onOnlineChange(person.userId, false)
    if (person.channels.size === 0 && people.get(person.userId) === person) people.delete(person.userId)
  }

  function friendsHereOf(person: Person): Person[] {
    return [...person.friends].map((id) => people.get(id)).filter((friend) => friend !== undefined)
  }

  function stateFor(person: Person): Payload {
    const shown = [person, ...friendsHereOf(person)].filter(({ tracks }) => tracks.length > 0)
    return Object.fromEntries(shown.map(({ userId, tracks }) => [userId, { metas: tracks.map(({ meta }) => meta) }]))
  }

  async function checkFriends(a: UserId, b: UserId): Promise<void> {
    const [personA, personB] = [people.get(a), people.get(b)]
    if (!personA || !personB) {
      // Only one of them is here: what the other will see is read when they come.
      const [present, other] = personA ? [personA, b] : [personB, a]
      if (present) await reload(present, other)
      return
    }
    await Promise.all([personA.loaded, personB.loaded])
    setFriends(a, b, (await friendsOf(a)).includes(b))
  }

  async function reload(person: Person, otherId: UserId): Promise<void> {
    await person.loaded
    setFriends(person.userId, otherId, (await friendsOf(person.userId)).includes(otherId))
  }

  function setFriends(a: UserId, b: UserId, areFriends: boolean): void {
    setFriend(a, b, areFriends)
    setFriend(b, a, areFriends)
  }

  function setFriend(userId: UserId, otherId: UserId, isFriend: boolean): void {
    const person = people.get(userId)
    if (!person || person.friends.has(otherId) === isFriend) return
    const friends = new Set(person.friends)
    if (isFriend) friends.add(otherId)
    else friends.delete(otherId)
    person.friends = friends
    const metas = people.get(otherId)?.tracks.map(({ meta }) => meta) ?? []
    if (metas.length > 0) tell([person], isFriend ? diff(otherId, metas, []) : diff(otherId, [], metas))
  }
}

function tell(people: readonly Person[], difference: Payload): void {
  for (const { watchers } of people)
    for (const channel of watchers) if (channel.mayReceive()) channel.push('presence_diff', difference)
}

function diff(userId: UserId, joined: readonly Meta[], left: readonly Meta[]): Payload {
  const of = (metas: readonly Meta[]) => (metas.length > 0 ? { [userId]: { metas } } : {})
  return { joins: of(joined), leaves: of(left) }
}
