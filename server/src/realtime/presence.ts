import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type UserId } from '@hither/contract/ids.ts'
import { type Attendance, type Meta } from '../platform/attendance.ts'
import { type Bus, type BusMessage } from '../platform/bus.ts'
import { type Channel } from './channel.ts'
import { createSight, type Sight } from './presence-sight.ts'
import { type Payload } from './protocol.ts'

export const onlineUsersTopic = 'realtime:online-users'

const loadAgainAfterMs = 1000

/** Who is online, to the channels of this node. */
export interface Presence {
  /** The channel may receive from now on; where it asked for presence it is sent the whole state, also on each call after. */
  enter(channel: Channel): void
  /** The channel's person is online through it, as soon as it may receive. Again is nothing new. */
  track(channel: Channel): void
  untrack(channel: Channel): void
  /** The channel has ended. Unless `isClean`, its person stays online for the grace time: they mostly come back. */
  leave(channel: Channel, isClean: boolean): void
  /** Some are, or are no longer, online in some way, at whichever node. */
  hear(message: Extract<BusMessage, { kind: 'presence' }>): void
  /** These two began or ceased to be friends: each sees the other appear, or vanish at once. */
  friendsChanged(a: UserId, b: UserId): void
  /** Changes of presence at other nodes may have been missed. */
  lookAgain(): void
  stop(): void
}

export interface PresenceDeps {
  readonly bus: Bus
  readonly attendance: Attendance
  readonly friendsOf: (userId: UserId) => Promise<readonly UserId[]>
  readonly onOnlineChange: (userId: UserId, isOnline: boolean) => void
  readonly onError: (error: unknown) => void
  readonly now: () => Date
  readonly graceMs: number
}

/** One way in which a person is online here: through a channel, or for the grace time through none. */
interface Track {
  readonly meta: Meta
  channel: Channel | null
  timer: NodeJS.Timeout | null
}

interface Person {
  readonly userId: UserId
  readonly sight: Sight
  /** Resolves once their friends, and who of them is online, are known. */
  loaded: Promise<void>
  /** What they do is told in the order in which they do it. */
  telling: Promise<void>
  /** Those that were sent the state, and so must be sent every difference. */
  readonly watchers: Set<Channel>
  readonly channels: Set<Channel>
  tracks: readonly Track[]
}

/**
 * Presence of `online-users`: each person is shown to themselves and their friends, under their own id, whatever key or
 * payload their client sends. On any other topic the state is empty and stays so.
 */
export function createPresence(deps: PresenceDeps): Presence {
  const { bus, attendance, friendsOf, onOnlineChange, onError, now, graceMs } = deps
  const people = new Map<UserId, Person>()
  const wantsTrack = new WeakSet<Channel>()
  let friendChecks = Promise.resolve()

  attendance.listen({
    onLost(meta, isLast) {
      friendsOf(meta.user_id).then((friends) => {
        void publish([meta.user_id, ...friends], [], [meta])
        if (isLast) onOnlineChange(meta.user_id, false)
      }, onError)
    },
    onRestored(meta, isFirst) {
      const person = people.get(meta.user_id)
      if (!person) return
      void publish(person.sight.audience(), [meta], [])
      if (isFirst) onOnlineChange(meta.user_id, true)
    },
  })

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
          if (channel.config.wantsPresence) inOrder(person, async () => watch(person, channel))
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
    hear({ audience, joins, leaves }) {
      for (const userId of audience) people.get(userId)?.sight.hear(joins, leaves)
    },
    friendsChanged(a, b) {
      for (const [userId, otherId] of [[a, b] as const, [b, a] as const]) people.get(userId)?.sight.lose(otherId)
      // One after another: the last answer is then the newest, whatever order the reads finish in.
      friendChecks = friendChecks.then(() => checkFriends(a, b)).catch(onError)
    },
    lookAgain() {
      for (const person of people.values()) {
        // One look after another: of two at once the older could undo what was heard after the newer.
        person.loaded = person.loaded.then(() => loadAgain(person))
        // Only where the first failed, of which whoever entered hears.
        person.loaded.catch(() => {})
      }
    },
    stop() {
      for (const { tracks } of people.values()) for (const { timer } of tracks) clearTimeout(timer ?? undefined)
      people.clear()
    },
  }

  function personOf(userId: UserId): Person {
    const known = people.get(userId)
    if (known) return known
    const watchers = new Set<Channel>()
    const sight = createSight(userId, (joins, leaves) => tell(watchers, diff(joins, leaves)))
    const [channels, telling] = [new Set<Channel>(), Promise.resolve()]
    const person: Person = { userId, sight, loaded: telling, telling, watchers, channels, tracks: [] }
    people.set(userId, person)
    person.loaded = bus.watch(userId).then(() => load(person))
    return person
  }

  function watch(person: Person, channel: Channel): void {
    if (!person.channels.has(channel)) return
    channel.tell('presence_state', person.sight.state())
    person.watchers.add(channel)
  }

  async function load({ userId, sight }: Person): Promise<void> {
    sight.beginLook()
    const friends = await friendsOf(userId)
    sight.look(friends, await attendance.metasOf([userId, ...friends]))
  }

  /** Until it succeeds: what is said meanwhile is held, and whoever was seen stays so. */
  async function loadAgain(person: Person): Promise<void> {
    while (people.get(person.userId) === person) {
      try {
        await load(person)
        return
      } catch (error) {
        onError(error)
        await pause(loadAgainAfterMs)
      }
    }
  }

  function forget(person: Person, channel: Channel): void {
    person.channels.delete(channel)
    person.watchers.delete(channel)
    giveUp(person)
  }

  function giveUp(person: Person): void {
    if (person.channels.size > 0 || person.tracks.length > 0 || people.get(person.userId) !== person) return
    people.delete(person.userId)
    bus.unwatch(person.userId)
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
    inOrder(person, async () => {
      const isFirst = await attendance.enter(meta)
      await publish(person.sight.audience(), [meta], [])
      if (isFirst) onOnlineChange(person.userId, true)
    })
  }

  function removeTrack(person: Person, track: Track): void {
    person.tracks = person.tracks.filter((other) => other !== track)
    inOrder(person, async () => {
      const isLast = await attendance.leave(track.meta)
      await publish(person.sight.audience(), [], [track.meta])
      if (isLast) onOnlineChange(person.userId, false)
      giveUp(person)
    })
  }

  function inOrder(person: Person, work: () => Promise<void>): void {
    person.telling = person.telling.then(work).catch(onError)
  }

  function publish(audience: readonly UserId[], joins: readonly Meta[], leaves: readonly Meta[]): Promise<void> {
    return bus.publish({ kind: 'presence', audience, joins, leaves })
  }

  async function checkFriends(a: UserId, b: UserId): Promise<void> {
    const present = [people.get(a), people.get(b)].filter((person) => person !== undefined)
    // Whoever is not here yet reads it when they come.
    if (present.length === 0) return
    await Promise.all(present.map(({ loaded }) => loaded))
    const areFriends = (await friendsOf(a)).includes(b)
    const metas = areFriends ? await attendance.metasOf([a, b]) : null
    for (const { userId, sight } of present) {
      const otherId = userId === a ? b : a
      if (metas) sight.gain(otherId, metas.get(otherId) ?? [])
      else sight.lose(otherId)
    }
  }
}

function tell(watchers: ReadonlySet<Channel>, difference: Payload): void {
  for (const channel of watchers) if (channel.mayReceive()) channel.push('presence_diff', difference)
}

function diff(joined: readonly Meta[], left: readonly Meta[]): Payload {
  return { joins: byPerson(joined), leaves: byPerson(left) }
}

function byPerson(metas: readonly Meta[]): Payload {
  const people: Record<UserId, { metas: Meta[] }> = {}
  for (const meta of metas) {
    const person = people[meta.user_id] ?? { metas: [] }
    people[meta.user_id] = person
    person.metas.push(meta)
  }
  return people
}
