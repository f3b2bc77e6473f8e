import type { PingStatus } from '@hither/contract/pings.ts'
import { useServerTime } from '../../api/server-time.ts'
import { statusAt } from '../pings.rules.ts'

/** Returns the status by the server's clock. Renders only when it changes. */
export function usePingStatus(ping: Parameters<typeof statusAt>[0]): PingStatus {
  return useServerTime(1000, (nowMs) => statusAt(ping, nowMs))
}
