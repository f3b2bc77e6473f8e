import type { UserId } from '@hither/contract/ids.ts'
import type { BusMessage } from '../../events/bus.ts'
import {
  createUserPresence,
  type PresenceChannel,
  publishPresence,
  type UserPresence,
  type UserPresenceDeps,
} from './user-presence.ts'

const onlineUsersTopic = 'realtime:online-users'

/** The presence of users, for the channels of this node. */
export interface Presence {
  /**
   * Reports that the channel can receive. If it requested presence, it receives the whole state, also after each
   * further call.
   */
  enter(channel: PresenceChannel): void
  /**
   * Shows the channel's user as online as soon as the channel can receive. A repeated call has no effect. Returns `false` if
   * the user does it too often.
   */
  track(channel: PresenceChannel): boolean
  untrack(channel: PresenceChannel): void
  /**
   * Reports that the channel has ended. Unless `isClean`, its user stays online for the grace time, since most clients
   * reconnect.
   */
  leave(channel: PresenceChannel, isClean: boolean): void
  /** Applies presence changes of any node. */
  deliver(message: Extract<BusMessage, { kind: 'presence' }>): void
  /** A friendship between these two users began or ended: each sees the other appear or disappear at once. */
  friendsChanged(a: UserId, b: UserId): void
  /** Reads all presences again, because changes at other nodes may have been missed. */
  reloadAll(): void
  stop(): void
}

/**
 * The presence of `online-users`: each user is visible to themselves and their friends, under their own id, whatever
 * key or payload their client sends. On any other topic the state is always empty.
 */
export function createPresence(deps: UserPresenceDeps & { readonly mayTrack: (userId: UserId) => boolean }): Presence {
  const { bus, presenceStore, friendsOf, mayTrack, onOnlineChange, onError } = deps
  const people = new Map<UserId, UserPresence>()
  const wantsTrack = new WeakSet<PresenceChannel>()
  let friendChecks = Promise.resolve()

  presenceStore.listen({
    onLost(meta, isLast) {
      friendsOf(meta.user_id).then((friends) => {
        void publishPresence(bus, [meta.user_id, ...friends], [], [meta])
        if (isLast) onOnlineChange(meta.user_id, false)
      }, onError)
    },
    onRestored(meta, isFirst) {
      const person = people.get(meta.user_id)
      if (!person) return
      void publishPresence(bus, person.visibility.audience(), [meta], [])
      if (isFirst) onOnlineChange(meta.user_id, true)
    },
  })

  return {
    enter(channel) {
      if (channel.topic !== onlineUsersTopic) {
        if (channel.config.wantsPresence) channel.notify('presence_state', {})
        return
      }
      const person = personOf(channel.caller.userId)
      person.channels.add(channel)
      person.loaded.then(
        () => {
          if (!person.channels.has(channel)) return
          if (wantsTrack.has(channel)) person.addTrack(channel)
          if (channel.config.wantsPresence) person.watch(channel)
        },
        (error) => {
          onError(error)
          person.forget(channel)
          channel.fail('Presence is not available')
        },
      )
    },
    track(channel) {
      if (channel.topic !== onlineUsersTopic || wantsTrack.has(channel)) return true
      if (!mayTrack(channel.caller.userId)) return false
      wantsTrack.add(channel)
      const person = people.get(channel.caller.userId)
      if (!person?.channels.has(channel)) return true
      person.loaded.then(
        () => {
          // A channel with an expired token is tracked once the token has been renewed.
          if (person.channels.has(channel) && wantsTrack.has(channel) && channel.mayReceive()) person.addTrack(channel)
        },
        // `enter` reports this error.
        () => {},
      )
      return true
    },
    untrack(channel) {
      wantsTrack.delete(channel)
      people.get(channel.caller.userId)?.removeTrack(channel)
    },
    leave(channel, isClean) {
      wantsTrack.delete(channel)
      const person = people.get(channel.caller.userId)
      if (isClean) person?.removeTrack(channel)
      else person?.removeTrackLater(channel)
      person?.forget(channel)
    },
    deliver({ audience, joins, leaves }) {
      for (const userId of audience) people.get(userId)?.visibility.deliver(joins, leaves)
    },
    friendsChanged(a, b) {
      for (const [userId, otherId] of [[a, b] as const, [b, a] as const])
        people.get(userId)?.visibility.removeFriend(otherId)
      // The checks run one after another, so that the last result is the newest.
      friendChecks = friendChecks.then(() => checkFriends(a, b)).catch(onError)
    },
    reloadAll() {
      for (const person of people.values()) person.reload()
    },
    stop() {
      for (const person of people.values()) person.stop()
      people.clear()
    },
  }

  function personOf(userId: UserId): UserPresence {
    const known = people.get(userId)
    if (known) return known
    const person = createUserPresence(deps, userId, () => {
      people.delete(userId)
      bus.unwatch(userId)
    })
    people.set(userId, person)
    return person
  }

  async function checkFriends(a: UserId, b: UserId): Promise<void> {
    const present = [people.get(a), people.get(b)].filter((person) => person !== undefined)
    // A user without channels here reads the friends when they join.
    if (present.length === 0) return
    await Promise.all(present.map(({ loaded }) => loaded))
    const areFriends = (await friendsOf(a)).includes(b)
    const metas = areFriends ? await presenceStore.metasOf([a, b]) : null
    for (const { userId, visibility } of present) {
      const otherId = userId === a ? b : a
      if (metas) visibility.addFriend(otherId, metas.get(otherId) ?? [])
      else visibility.removeFriend(otherId)
    }
  }
}
