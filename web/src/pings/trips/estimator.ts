import type { UserId } from '@hither/contract/ids.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isTransient } from '../../api/api-error.ts'
import { serverNow } from '../../api/server-time.ts'
import { call } from '../../api/transport.ts'
import { t } from '../../i18n/translate.ts'
import { positionOf, positionOptions } from '../../map/location/geolocation.ts'
import { withLock } from '../../outbox/sender.ts'
import { nextUpdate } from '../../trips/estimates.rules.ts'
import { currentEstimate, endEstimate, subscribeToEstimate } from '../../trips/estimation/estimation.ts'
import { isContinued, type StoredEstimate } from '../../trips/stored-estimate.rules.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import { pingsQuery } from '../pings.api.ts'
import { refetchLists } from '../pings.cache.ts'
import { findOwnTrip, putOwnTrip } from './own-trips.ts'

/** The pause after an update that failed, and between two updates with minutes. */
const pauseMs = 60_000
/** When minutes were sent last, and when an update failed last, by the clock of this device. */
let sentAtMs = Number.NEGATIVE_INFINITY
let failedAtMs = Number.NEGATIVE_INFINITY

/**
 * Watches the position of the device while the page is visible and a trip of the viewer is estimated on it, and sends what follows
 * from it: minutes, or the arrival. Positions stay in the memory of this function. One tab does so at a time. Works until the
 * returned function is called.
 */
export function startEstimator(queryClient: QueryClient, viewerId: UserId): () => void {
  let isStopped = false
  /** Ends the watch of the position and gives the lock to another tab. */
  let endWatch: (() => void) | null = null
  let isSending = false

  const unsubscribeCache = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.query.queryHash === listHash) update()
  })
  const unsubscribeEstimate = subscribeToEstimate(update)
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    isStopped = true
    unsubscribeCache()
    unsubscribeEstimate()
    document.removeEventListener('visibilitychange', update)
    update()
  }

  /** Starts or ends the watch as the estimate, the trip and the visibility of the page require. */
  function update() {
    const found = isStopped ? null : findEstimated()
    if (found === null || document.visibilityState === 'hidden') {
      endWatch?.()
      endWatch = null
    } else endWatch ??= watch()
  }

  /** The estimate with its trip and the place of its ping. Ends an estimate whose trip has ended. */
  function findEstimated() {
    const estimate = currentEstimate()
    const { queryKey } = pingsQuery()
    const pings = queryClient.getQueryData(queryKey)
    if (estimate === null || pings === undefined) return null
    const ping = pings.find(({ id }) => id === estimate.ping_id)
    if (!ping && queryClient.isFetching({ queryKey }) > 0) return null
    const trip = ping?.trips.find(({ user_id }) => user_id === viewerId)
    if (ping && trip && isContinued(estimate, trip)) return { estimate, trip, ping }
    void endEstimate(viewerId, estimate)
    return null
  }

  function watch(): () => void {
    let isCanceled = false
    let end: () => void = () => undefined
    void withLock(`hither-estimate-${viewerId}`, async () => {
      if (isCanceled) return
      const id = navigator.geolocation?.watchPosition(
        ({ coords }) => void handlePosition(coords),
        undefined,
        positionOptions,
      )
      await new Promise<void>((resolve) => {
        end = resolve
      })
      if (id !== undefined) navigator.geolocation.clearWatch(id)
    })
    return () => {
      isCanceled = true
      end()
    }
  }

  async function handlePosition(coordinates: GeolocationCoordinates) {
    const position = positionOf(coordinates)
    const found = findEstimated()
    const deviceMs = Date.now()
    if (position === null || found === null || isSending || endWatch === null || deviceMs - failedAtMs < pauseMs) return
    const { estimate, trip, ping } = found
    const sent = { atMs: Date.parse(trip.updated_at), arrivesMs: Date.parse(trip.arrives_at) }
    const next = nextUpdate(position, ping, estimate.mode, sent, serverNow())
    if (next === null || (next.kind === 'minutes' && deviceMs - sentAtMs < pauseMs)) return
    isSending = true
    if (next.kind === 'minutes') sentAtMs = deviceMs
    try {
      const updated = await send(estimate, next.kind === 'arrived' ? null : next.minutes)
      // A trip that was stopped meanwhile stays stopped. The live row of an arrival, which ends the estimate, may have come first.
      const isArrived = updated.state === 'arrived'
      const current = findOwnTrip(queryClient, ping.id, viewerId)
      if (isArrived ? current?.started_at !== updated.started_at : findEstimated() === null) return
      putOwnTrip(queryClient, ping.id, viewerId, updated)
      if (isArrived) publishNotice({ kind: 'notice', text: t('trips.markedAsHere') })
    } catch (error) {
      // An update without a network is not repeated. After a refusal the trip has ended, on whichever device.
      failedAtMs = deviceMs
      if (!isTransient(error)) {
        await endEstimate(viewerId, estimate)
        void refetchLists(queryClient)
      }
    } finally {
      isSending = false
    }
  }
}

const listHash = JSON.stringify(pingsQuery().queryKey)

/** Sends minutes, or with null the arrival, for exactly this trip. */
function send({ ping_id, started_at }: StoredEstimate, minutes: number | null): Promise<Trip> {
  const params = { id: ping_id }
  return minutes === null
    ? call('POST /pings/:id/trip/arrived', { params, body: { started_at } })
    : call('PUT /pings/:id/trip', { params, body: { eta_minutes: minutes, started_at } })
}
