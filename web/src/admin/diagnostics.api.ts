import * as contract from '@hither/contract/diagnostics.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { measureRoundTrip } from '../live/round-trip.ts'

// Each asks everything the server stands on: when somebody wants to know, and not by the way.
const onDemand = {
  meta: { kept: false },
  staleTime: 0,
  gcTime: 60_000,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

export interface Diagnosis extends contract.Diagnostics {
  /** By this device's clock, when it was asked for and when it was there. */
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

export function diagnosticsQuery() {
  return queryOptions({
    queryKey: ['admin', 'diagnostics'],
    queryFn: async ({ signal }): Promise<Diagnosis> => {
      const sentAtMs = Date.now()
      const diagnostics = await call(contract.diagnose, {}, { signal })
      return { ...diagnostics, sentAtMs, receivedAtMs: Date.now() }
    },
    ...onDemand,
  })
}

/** In milliseconds; `null` where nothing came back. */
export function roundTripQuery() {
  return queryOptions({ queryKey: ['admin', 'round_trip'], queryFn: measureRoundTrip, ...onDemand })
}

export function useSendTestMail() {
  return useMutation({ mutationFn: () => call(contract.sendTestMail, {}) })
}
