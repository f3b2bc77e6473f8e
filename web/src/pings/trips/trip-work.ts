import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { sessionState, subscribeToSession } from '../../session/session.ts'
import { currentEstimate, subscribeToEstimate } from '../../trips/estimation/estimation.ts'
import { loadModule } from '../../ui/load-module.ts'
import { startTripOutbox } from './trip-outbox.ts'

let running: UserId | null = null

/**
 * Does what the trips of the viewer need without a screen, until the session ends: sends what waits for the network, and loads and
 * runs the estimator once this device estimates a trip. Does nothing if it already does.
 */
export function startTripWork(queryClient: QueryClient, viewerId: UserId): void {
  if (running === viewerId || sessionState().user?.id !== viewerId) return
  running = viewerId
  startTripOutbox(queryClient, viewerId)
  let isLoading = false
  let stopEstimator: (() => void) | null = null
  const unsubscribeEstimate = subscribeToEstimate(loadEstimator)
  const unsubscribeSession = subscribeToSession(handleSession)
  void loadEstimator()

  async function loadEstimator() {
    if (isLoading || currentEstimate() === null) return
    isLoading = true
    try {
      const { startEstimator } = await loadModule(() => import('./estimator.ts'))
      if (running === viewerId) stopEstimator = startEstimator(queryClient, viewerId)
    } catch {
      // The code cannot be loaded without a network. The arrival time stays as it was shared.
      isLoading = false
    }
  }

  function handleSession() {
    if (sessionState().user?.id === viewerId) return
    running = null
    unsubscribeSession()
    unsubscribeEstimate()
    stopEstimator?.()
  }
}
