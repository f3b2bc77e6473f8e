import type { CheckState } from '@hither/contract/diagnostics.ts'
import { t } from '../../i18n/translate.ts'

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
  if (status === 'offline' || (status === 'live' && ms === null))
    return { id, state: 'failed', text: t('admin.diagnostics.noLive') }
  if (status === 'connecting' || ms === undefined || ms === null)
    return { id, state: null, text: t('admin.diagnostics.connecting') }
  if (ms < slowMs)
    return { id, state: 'ok', text: t('admin.diagnostics.roundTrip', { ms: Math.max(1, Math.round(ms)) }) }
  return { id, state: 'warning', text: t('admin.diagnostics.slowRoundTrip', { ms: Math.round(ms) }) }
}

export function judgeAddressBar(publicUrl: string, origin: string, isSecure: boolean): PageCheck {
  const id = 'address_bar'
  if (!isSecure) return { id, state: 'failed', text: t('admin.diagnostics.notSecure', { origin }) }
  if (new URL(publicUrl).origin === origin)
    return { id, state: 'ok', text: t('admin.diagnostics.sameAddress', { origin }) }
  return { id, state: 'warning', text: t('admin.diagnostics.otherAddress', { origin, publicUrl }) }
}

/** `serverMs` was read between `sentAtMs` and `receivedAtMs` of this device. */
export function judgeDeviceClock(sentAtMs: number, serverMs: number, receivedAtMs: number): PageCheck {
  const id = 'device_clock'
  const aheadMs = serverMs < sentAtMs ? sentAtMs - serverMs : Math.min(0, receivedAtMs - serverMs)
  if (Math.abs(aheadMs) < clockOffMs) return { id, state: 'ok', text: t('admin.diagnostics.sameClock') }
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const text =
    aheadMs > 0 ? t('admin.diagnostics.clockAhead', { seconds }) : t('admin.diagnostics.clockBehind', { seconds })
  return { id, state: 'warning', text }
}
