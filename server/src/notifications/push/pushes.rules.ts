import { createHash } from 'node:crypto'
import { type Backoff, backoffMs } from '../../platform/async/backoff.ts'
import { kinds } from '../kinds/index.ts'
import { minuteMs } from '../kinds/kind.ts'
import { messageGraceMs } from '../kinds/message.ts'
import type { PushDelivery } from './pushes.queries.ts'

/** Returns the delay of a push that another one joined while it was being sent. */
export function rejoinDelayMs({ kind, subject }: Pick<PushDelivery, 'kind' | 'subject'>): number {
  return kinds[kind].rejoinDelayMs?.(subject) ?? messageGraceMs
}

const retry: Backoff = { firstMs: 15_000, maxMs: 30 * minuteMs }

/** `retryAfterMs` is the shortest delay that the push service accepts. */
export function retryDelayMs(attempts: number, retryAfterMs: number): number {
  return Math.max(retryAfterMs, backoffMs(attempts, retry))
}

/** The topic by which the push service replaces an older push. A hash, so that it reveals nothing else. */
export function topicOf({ subscription_id, tag }: Pick<PushDelivery, 'subscription_id' | 'tag'>): string {
  return createHash('sha256').update(`${subscription_id} ${tag}`).digest('base64url').slice(0, 32)
}
