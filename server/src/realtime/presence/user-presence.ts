import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '@hither/contract/ids.ts'
import type { Bus } from '../../events/bus.ts'
import type { Meta, PresenceStore } from '../../presence/presence-store.ts'
import type { Payload } from '../protocol/protocol.ts'
import { createPresenceVisibility, type PresenceVisibility } from './presence-visibility.ts'

const retryAfterMs = 1000

/** The part of a channel of the live connection that presence uses. */
export interface PresenceChannel {
  readonly topic: string
  readonly config: { readonly wantsPresence: boolean }
  readonly caller: { readonly userId: UserId }
  mayReceive(): boolean
  /** Sends to this generation of the topic only. */
  notify(event: string, payload: Payload): void
  /** Sends to the topic, whatever its current generation. */
  push(event: string, payload: Payload): void
  /** Ends the channel with an error; the client rejoins within seconds. */
  fail(reason: string): void
}

export interface UserPresenceDeps {
  readonly bus: Bus
  readonly presenceStore: PresenceStore
  readonly friendsOf: (userId: UserId) => Promise<readonly UserId[]>
  readonly onOnlineChange: (userId: UserId, isOnline: boolean) => void
  readonly onError: (error: unknown) => void
  readonly now: () => Date
  readonly graceMs: number
}

/** The presence of one user who has channels on this node: how they appear to their friends, and whom they see. */
export interface UserPresence {
  readonly userId: UserId
  readonly visibility: PresenceVisibility
  /** The open channels of the user. */
  readonly channels: Set<PresenceChannel>
  /** Resolves once the friends and their presences are known. Rejects if they could not be read at first. */
  readonly loaded: Promise<void>
  /** Sends the whole state to the channel, and every difference afterwards. */
  watch(channel: PresenceChannel): void
  /** Shows the user as online through this channel. */
  addTrack(channel: PresenceChannel): void
  removeTrack(channel: PresenceChannel): void
  /** Removes the track of this channel after the grace time, unless another channel takes it over. */
  removeTrackLater(channel: PresenceChannel): void
  forget(channel: PresenceChannel): void
  /** Reads all presences again, and retries until it succeeds. Meanwhile known presences stay. */
  reload(): void
  stop(): void
}

/** One connection through which a user is online: a channel, or none during the grace time. */
interface Track {
  readonly meta: Meta
  channel: PresenceChannel | null
  timer: NodeJS.Timeout | null
}

/** `onUnused` is called once, when the user has no channels and no tracks any more. */
export function createUserPresence(deps: UserPresenceDeps, userId: UserId, onUnused: () => void): UserPresence {
  const { bus, presenceStore, friendsOf, onOnlineChange, onError, now, graceMs } = deps
  const channels = new Set<PresenceChannel>()
  /** The channels that have received the state, and therefore receive every difference. */
  const watchers = new Set<PresenceChannel>()
  const visibility = createPresenceVisibility(userId, (joins, leaves) => notify(watchers, diff(joins, leaves)))
  let tracks: readonly Track[] = []
  /** The end of the queue that publishes this user's changes in order. */
  let publishing = Promise.resolve()
  let isClosed = false
  let loaded = bus.watch(userId).then(load)

  return {
    userId,
    visibility,
    channels,
    get loaded() {
      return loaded
    },
    watch(channel) {
      inOrder(async () => {
        if (!channels.has(channel)) return
        channel.notify('presence_state', visibility.state())
        watchers.add(channel)
      })
    },
    addTrack,
    removeTrack(channel) {
      const track = trackOf(channel)
      if (track) remove(track)
    },
    removeTrackLater(channel) {
      const track = trackOf(channel)
      if (!track) return
      track.channel = null
      track.timer = setTimeout(() => remove(track), graceMs)
    },
    forget(channel) {
      channels.delete(channel)
      watchers.delete(channel)
      closeIfUnused()
    },
    reload() {
      // The reads run one after another: an older result could undo changes that arrived after a newer one.
      loaded = loaded.then(retryLoad)
      // Rejects only if the first read failed, which the users of `loaded` report.
      loaded.catch(() => {})
    },
    stop() {
      isClosed = true
      for (const { timer } of tracks) clearTimeout(timer ?? undefined)
    },
  }

  async function load(): Promise<void> {
    visibility.beginReload()
    const friends = await friendsOf(userId)
    visibility.reload(friends, await presenceStore.metasOf([userId, ...friends]))
  }

  async function retryLoad(): Promise<void> {
    while (!isClosed) {
      try {
        await load()
        return
      } catch (error) {
        onError(error)
        await pause(retryAfterMs)
      }
    }
  }

  function trackOf(channel: PresenceChannel): Track | undefined {
    return tracks.find((track) => track.channel === channel)
  }

  function addTrack(channel: PresenceChannel): void {
    if (trackOf(channel)) return
    // The client returned within the grace time: nothing is published.
    const disconnected = tracks.find((track) => track.channel === null)
    if (disconnected) {
      clearTimeout(disconnected.timer ?? undefined)
      disconnected.channel = channel
      return
    }
    const meta = { phx_ref: randomUUID(), user_id: userId, online_at: now().toISOString() }
    tracks = [...tracks, { meta, channel, timer: null }]
    inOrder(async () => {
      const isFirst = await presenceStore.enter(meta)
      await publishPresence(bus, visibility.audience(), [meta], [])
      if (isFirst) onOnlineChange(userId, true)
    })
  }

  function remove(track: Track): void {
    tracks = tracks.filter((other) => other !== track)
    inOrder(async () => {
      const isLast = await presenceStore.leave(track.meta)
      await publishPresence(bus, visibility.audience(), [], [track.meta])
      if (isLast) onOnlineChange(userId, false)
      closeIfUnused()
    })
  }

  function closeIfUnused(): void {
    if (channels.size > 0 || tracks.length > 0 || isClosed) return
    isClosed = true
    onUnused()
  }

  function inOrder(work: () => Promise<void>): void {
    publishing = publishing.then(work).catch(onError)
  }
}

export function publishPresence(
  bus: Bus,
  audience: readonly UserId[],
  joins: readonly Meta[],
  leaves: readonly Meta[],
): Promise<void> {
  return bus.publish({ kind: 'presence', audience, joins, leaves })
}

function notify(watchers: ReadonlySet<PresenceChannel>, difference: Payload): void {
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
