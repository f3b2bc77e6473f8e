import type { Diagnostics } from '@hither/contract/diagnostics.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { measureRoundTrip } from '../../realtime/round-trip.ts'

// Each of these requests checks every dependency of the server, so they run on demand only.
const onDemand = {
  meta: { persisted: false },
  staleTime: 0,
  gcTime: 60_000,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

export interface Diagnosis extends Diagnostics {
  /** The times of the request and the response by this device's clock, in Unix milliseconds. */
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

export function diagnosticsQuery() {
  return queryOptions({
    queryKey: ['admin', 'diagnostics'],
    queryFn: async ({ signal }): Promise<Diagnosis> => {
      const sentAtMs = Date.now()
      const diagnostics = await call('GET /admin/diagnostics', {}, { signal })
      return { ...diagnostics, sentAtMs, receivedAtMs: Date.now() }
    },
    ...onDemand,
  })
}

/** In milliseconds; `null` if no reply arrived. */
export function roundTripQuery() {
  return queryOptions({ queryKey: ['admin', 'round_trip'], queryFn: measureRoundTrip, ...onDemand })
}

export function useSendTestMail() {
  return useMutation({ mutationFn: () => call('POST /admin/diagnostics/mail', {}) })
}
