import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type PushPayload } from '@hither/contract/notifications.ts'
import { findWaitingRequest } from '../friends/requests.service.ts'
import { findNews } from '../messages/messages.service.ts'
import { findVisible } from '../pings/pings.service.ts'
import { findAnswer } from '../pings/responses.service.ts'
import { type Pool } from '../platform/database.ts'
import { findPreferences, isMuted } from './preferences.queries.ts'
import { isQuiet } from './preferences.rules.ts'
import { type PushDelivery } from './pushes.queries.ts'
import * as rules from './pushes.rules.ts'

export interface Composed {
  readonly payload: PushPayload
  /** When it is no news any more. */
  readonly endsAt: Date
}

interface ComposeDeps {
  pool: Pool
  now: () => Date
}

/** What there is to tell, and until when; `at` where that is not when it was written down. */
type News = { readonly told: rules.Told; readonly endsAt?: string; readonly at?: string } | null

/**
 * Decided at the moment at which it goes: whether the person still wants to know and still may, and what there is to know.
 * Each kind asks the rule of its feature who sees what.
 */
export async function composePush(deps: ComposeDeps, delivery: PushDelivery): Promise<Composed | null> {
  const { kind, tag, user_id, expires_at, happened_at } = delivery
  const preferences = await findPreferences(deps.pool, user_id)
  if (kind !== 'test' && (!preferences.kinds[kind] || isQuiet(preferences.quiet_hours, deps.now()))) return null
  const news = await findNewsOf(deps, delivery)
  if (!news) return null
  const told = preferences.hide_details ? rules.hideDetails(kind, news.told) : news.told
  const endsAt = new Date(Math.min(Date.parse(expires_at), Date.parse(news.endsAt ?? expires_at)))
  return { payload: { kind, tag, timestamp: Date.parse(news.at ?? happened_at), ...told }, endsAt }
}

async function findNewsOf(deps: ComposeDeps, delivery: PushDelivery): Promise<News> {
  const { kind, user_id, ping_id, responder_id, request_id } = delivery
  switch (kind) {
    case 'new_ping':
    case 'ping_activated':
      return ping_id && pingNews(deps, user_id, ping_id, kind)
    case 'ping_response':
      return ping_id && responder_id && responseNews(deps, user_id, ping_id, responder_id)
    case 'message':
      return messageNews(deps, delivery)
    case 'friend_request': {
      const request = request_id && (await findWaitingRequest(deps.pool, user_id, request_id))
      return request ? { told: rules.requestTold(request.from_username) } : null
    }
    case 'test':
      return { told: rules.testTold() }
  }
}

async function pingNews(
  { pool, now }: ComposeDeps,
  userId: UserId,
  pingId: PingId,
  kind: 'new_ping' | 'ping_activated',
): Promise<News> {
  const ping = await findVisible(pool, userId, pingId, now())
  if (!ping || ping.sight === 'stranger' || ping.status === 'expired') return null
  const isOwner = ping.sight === 'owner'
  if (kind === 'new_ping') return isOwner ? null : { told: rules.newPingTold(ping), endsAt: ping.expires_at }
  return ping.status === 'active' ? { told: rules.activationTold(ping, isOwner), endsAt: ping.expires_at } : null
}

async function responseNews(
  { pool, now }: ComposeDeps,
  ownerId: UserId,
  pingId: PingId,
  responderId: UserId,
): Promise<News> {
  const ping = await findVisible(pool, ownerId, pingId, now())
  if (ping?.sight !== 'owner' || ping.status === 'expired') return null
  const answer = await findAnswer(pool, pingId, responderId)
  return answer
    ? { told: rules.responseTold(ping, answer.username, answer.response_type), endsAt: ping.expires_at }
    : null
}

async function messageNews({ pool, now }: ComposeDeps, delivery: PushDelivery): Promise<News> {
  const { user_id, chat_id, happened_at } = delivery
  if (!chat_id || (await isMuted(pool, user_id, chat_id, now()))) return null
  const news = await findNews(pool, user_id, chat_id, happened_at)
  return news ? { told: rules.messageTold(news.message, news.name), at: news.message.created_at } : null
}
