import type { PingId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { User } from '@hither/contract/users.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { call } from '../../api/transport.ts'
import { t } from '../../i18n/translate.ts'
import { withLock } from '../../outbox/sender.ts'
import type { TravelMode } from '../../trips/estimates.rules.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import { without } from '../outbox/outbox.rules.ts'
import { pingQuery } from '../pings.api.ts'
import { cancelLists, refetchLists } from '../pings.cache.ts'
import { findOwnTrip, putOwnTrip } from './own-trips.ts'
import { type Decider, sendOrQueue } from './send-or-queue.ts'
import { tripsLock, unsentTrips, unsentTripTo } from './unsent-trips.ts'

// The decisions of the viewer about their own trips. Each is shown at once, and undone with a message if the server refuses.
// The hooks may be called for any ping, also after the component is gone: a message with a button outlives the screen.

interface SharedTrip {
  readonly pingId: PingId
  readonly minutes: number
  /** Set if this device estimates the arrival from now on. */
  readonly mode?: TravelMode | undefined
}

/** Starts a trip, or changes its arrival time. Resolves to the stored trip; null if it waits for the network. */
export function useShareTrip(viewer: User) {
  return useTripMutation<SharedTrip>({
    viewer,
    send: (input, decider) => sendOrQueue({ kind: 'share', ...input }, decider),
    predict: (before, { minutes }, nowMs) => ({
      state: 'en_route',
      arrives_at: fullMinute(nowMs + minutes * minuteMs),
      started_at: before?.state === 'en_route' ? before.started_at : instant(nowMs),
    }),
    failed: t('trips.shareFailed'),
  })
}

/** Marks the viewer as arrived, also without an earlier trip. */
export function useArrive(viewer: User) {
  return useTripMutation<{ readonly pingId: PingId }>({
    viewer,
    send: ({ pingId }, { viewerId }) => {
      const earlier = unsentTripTo(pingId)
      return withLock(tripsLock(viewerId), async () => {
        const trip = await call('POST /pings/:id/trip/arrived', { params: { id: pingId }, body: {} })
        // A start that still waits for the network would start the trip again. A later decision stays.
        if (earlier) await unsentTrips.edit(viewerId, (unsent) => without(unsent, earlier.client_id))
        return trip
      })
    },
    predict: (before, _input, nowMs) => ({
      state: 'arrived',
      arrives_at: fullMinute(nowMs),
      started_at: before?.started_at ?? instant(nowMs),
    }),
    failed: t('trips.arriveFailed'),
  })
}

/** Ends the viewer's trip. Succeeds also without one. */
export function useStopTrip(viewer: User) {
  return useTripMutation<{ readonly pingId: PingId }>({
    viewer,
    send: ({ pingId }, decider) => sendOrQueue({ kind: 'stop', pingId }, decider),
    predict: () => null,
    failed: t('trips.stopFailed'),
  })
}

type PredictedTrip = Pick<Trip, 'state' | 'arrives_at' | 'started_at'>

interface TripWrite<Input> {
  viewer: User
  send: (input: Input, decider: Decider) => Promise<Trip | null>
  /** The trip that the server will store, by its clock; null if it will store none. */
  predict: (before: Trip | undefined, input: Input, nowMs: number) => PredictedTrip | null
  failed: string
}

const mutationKey = ['pings', 'trip']
/** The trip as it was before each decision. */
const former = new WeakMap<object, Trip>()

function useTripMutation<Input extends { readonly pingId: PingId }>({
  viewer,
  send,
  predict,
  failed,
}: TripWrite<Input>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    // Calls are made in the order of the taps, because they share a lock. A `scope` would not even store the later decisions
    // while the first call lasts.
    mutationFn: (input: Input) => send(input, { queryClient, viewerId: viewer.id, before: former.get(input) ?? null }),
    onMutate: async (input) => {
      const { pingId } = input
      await Promise.all([cancelLists(queryClient), queryClient.cancelQueries(pingQuery(pingId))])
      const before = findOwnTrip(queryClient, pingId, viewer.id)
      if (before) former.set(input, before)
      const nowMs = serverNow()
      const predicted = predict(before, input, nowMs)
      const { id: user_id, username } = viewer
      const row = { ping_id: pingId, user_id, username, updated_at: instant(nowMs) }
      putOwnTrip(queryClient, pingId, viewer.id, predicted && { ...row, ...predicted })
      return before ?? null
    },
    onSuccess: (trip, { pingId }) => {
      // The viewer may have decided otherwise meanwhile, which is already shown.
      if (trip !== null && !areOthersSent()) putOwnTrip(queryClient, pingId, viewer.id, trip)
    },
    onError: (error, { pingId }, before) => {
      if (before !== undefined) putOwnTrip(queryClient, pingId, viewer.id, before)
      publishNotice({ kind: 'error', text: messageOf(error, failed) })
    },
    onSettled: (_trip, _error, { pingId }) => {
      // A refetch while another decision is being sent would briefly show the server's older value.
      if (areOthersSent()) return
      // The server doesn't know yet what waits for the network.
      if (unsentTripTo(pingId)) return
      void refetchLists(queryClient)
      void queryClient.invalidateQueries(pingQuery(pingId))
    },
  })

  function areOthersSent(): boolean {
    return queryClient.isMutating({ mutationKey }) > 1
  }
}

const minuteMs = 60_000

/** Rounds like the server: to the nearest full minute. */
function fullMinute(atMs: number): string {
  return instant(Math.round(atMs / minuteMs) * minuteMs)
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString()
}
