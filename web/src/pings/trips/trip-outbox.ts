import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { type Sender, startSender } from '../../outbox/sender.ts'
import { sessionState, subscribeToSession } from '../../session/session.ts'
import { msUntilDrop, nextStep, type UnsentTrip } from '../../trips/unsent-trips.rules.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import { without } from '../outbox/outbox.rules.ts'
import { sendingIds } from '../outbox/ping-outbox.ts'
import { pingQuery } from '../pings.api.ts'
import { refetchLists } from '../pings.cache.ts'
import { putOwnTrip } from './own-trips.ts'
import { sendDecision } from './send-decision.ts'
import { tripsLock, unsentTrips, unsentTripTo } from './unsent-trips.ts'

let running: UserId | null = null

/**
 * Sends the starts, changes and stops of trips that wait for the network, until the session of the viewer ends. Does nothing if it
 * already does.
 */
export function startTripOutbox(queryClient: QueryClient, viewerId: UserId): void {
  if (running === viewerId || !isSignedIn(viewerId)) return
  running = viewerId
  const sender = startSender<UnsentTrip>({
    lock: tripsLock(viewerId),
    reread: unsentTrips.reread,
    subscribe: unsentTrips.subscribe,
    next() {
      if (!isSignedIn(viewerId)) return undefined
      const unsent = unsentTrips.items().filter(({ client_id }) => !sendingIds.has(client_id))
      // A stop that the server cannot take yet does not keep a start from being dropped.
      return unsent.find((one) => nextStep(one, Date.now()).kind === 'dropped') ?? unsent[0]
    },
    async send(unsent, isStopped) {
      const { ping_id: pingId, before } = unsent
      const step = nextStep(unsent, Date.now())
      if (step.kind === 'dropped') {
        await remove(unsent)
        putOwnTrip(queryClient, pingId, viewerId, before)
        return publishNotice({ kind: 'error', text: t('trips.notShared') })
      }
      const trip = await sendDecision(
        viewerId,
        step.kind === 'stop'
          ? { kind: 'stop', pingId }
          : { kind: 'share', pingId, minutes: step.eta_minutes, mode: step.mode },
      )
      if (isStopped()) return
      await remove(unsent)
      // The viewer may have decided otherwise meanwhile.
      if (!unsentTripTo(pingId)) putOwnTrip(queryClient, pingId, viewerId, trip)
      readAgain(unsent)
    },
    isLasting: ({ kind }) => kind === 'stop',
    async refuse(unsent, error) {
      await remove(unsent)
      putOwnTrip(queryClient, unsent.ping_id, viewerId, unsent.before)
      readAgain(unsent)
      const fallback = unsent.kind === 'stop' ? t('trips.stopFailed') : t('trips.shareFailed')
      publishNotice({ kind: 'error', text: messageOf(error, fallback) })
    },
  })
  const stopDropping = dropInTime(sender)
  const unsubscribe = subscribeToSession(() => {
    if (isSignedIn(viewerId)) return
    running = null
    unsubscribe()
    stopDropping()
    sender.stop()
  })

  function remove({ client_id }: UnsentTrip): Promise<void> {
    return unsentTrips.edit(viewerId, (items) => without(items, client_id))
  }

  function readAgain({ ping_id }: UnsentTrip) {
    void refetchLists(queryClient)
    void queryClient.invalidateQueries(pingQuery(ping_id))
  }
}

/** Wakes the sender when a start has waited for too long. Returns how to stop. */
function dropInTime(sender: Sender): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function plan() {
    clearTimeout(timer)
    const leftMs = msUntilDrop(unsentTrips.items(), Date.now())
    if (leftMs !== null) timer = setTimeout(sender.wake, leftMs)
  }

  const unsubscribe = unsentTrips.subscribe(plan)
  plan()
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** Calls are made in the name of the user who is signed in at that moment. */
function isSignedIn(viewerId: UserId): boolean {
  return sessionState().user?.id === viewerId
}
