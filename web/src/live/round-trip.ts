import { type RealtimeClient } from '@supabase/realtime-js'
import { realtimeClient } from './conversation-channel.ts'

const answerWithinMs = 5000

let measuring: Promise<number | null> | null = null

/** A heartbeat of the live connection to the server and back, in milliseconds; `null` where none comes back. */
export function measureRoundTrip(): Promise<number | null> {
  const client = realtimeClient()
  if (client === null) return Promise.resolve(null)
  // The client tells one listener.
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
    // One under way does as well. A second would be taken for a sign that the first was lost, and end the connection.
    if (!client.pendingHeartbeatRef) void client.sendHeartbeat()

    function finish(ms: number | null) {
      clearTimeout(timer)
      client.onHeartbeat(() => undefined)
      resolve(ms)
    }
  })
}
