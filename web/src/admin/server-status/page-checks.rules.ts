import type { CheckState } from '@hither/contract/diagnostics.ts'
import { diagnosticsStrings as strings } from '../strings.ts'

/** A check that only the page can make: its address, and its connection to the server. */
export interface PageCheck {
  readonly id: 'live' | 'address_bar' | 'device_clock'
  /** `null` while it is unknown. */
  readonly state: CheckState | null
  readonly text: string
}

const slowMs = 1000
const clockOffMs = 5000

/** `ms` is `null` if no reply arrived, and `undefined` before the measurement ends. */
export function judgeLive(status: 'connecting' | 'live' | 'offline', ms: number | null | undefined): PageCheck {
  const id = 'live'
  if (status === 'offline' || (status === 'live' && ms === null)) return { id, state: 'failed', text: strings.noLive }
  if (status === 'connecting' || ms === undefined || ms === null) return { id, state: null, text: strings.connecting }
  if (ms < slowMs) return { id, state: 'ok', text: strings.roundTrip(ms) }
  return { id, state: 'warning', text: strings.slowRoundTrip(ms) }
}

export function judgeAddressBar(publicUrl: string, origin: string, isSecure: boolean): PageCheck {
  const id = 'address_bar'
  if (!isSecure) return { id, state: 'failed', text: strings.notSecure(origin) }
  if (new URL(publicUrl).origin === origin) return { id, state: 'ok', text: strings.sameAddress(origin) }
  return { id, state: 'warning', text: strings.otherAddress(origin, publicUrl) }
}

/** `serverMs` was read between `sentAtMs` and `receivedAtMs` of this device. */
export function judgeDeviceClock(sentAtMs: number, serverMs: number, receivedAtMs: number): PageCheck {
  const id = 'device_clock'
  const aheadMs = serverMs < sentAtMs ? sentAtMs - serverMs : Math.min(0, receivedAtMs - serverMs)
  if (Math.abs(aheadMs) < clockOffMs) return { id, state: 'ok', text: strings.sameClock }
  return { id, state: 'warning', text: strings.otherClock(Math.round(Math.abs(aheadMs) / 1000), aheadMs > 0) }
}
