import type { RealtimeClient } from '@supabase/realtime-js'
import { realtimeClient } from './conversation-channel.ts'

const answerWithinMs = 5000

let measuring: Promise<number | null> | null = null

/**
 * Measures the round trip of a heartbeat of the live connection in milliseconds. Resolves to `null` if no reply
 * arrives.
 */
export function measureRoundTrip(): Promise<number | null> {
  const client = realtimeClient()
  if (client === null) return Promise.resolve(null)
  // The client supports one listener, so all callers share one measurement.
  measuring ??= measure(client).finally(() => {
    measuring = null
  })
  return measuring
}

function measure(client: RealtimeClient): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), answerWithinMs)
    client.onHeartbeat((status, latencyMs) => {
      if (status === 'ok') finish(latencyMs ?? null)
      else if (status !== 'sent') finish(null)
    })
    // A pending heartbeat is reused. The client would treat a second one as proof that the first was lost, and
    // disconnect.
    if (!client.pendingHeartbeatRef) void client.sendHeartbeat()

    function finish(ms: number | null) {
      clearTimeout(timer)
      client.onHeartbeat(() => undefined)
      resolve(ms)
    }
  })
}
