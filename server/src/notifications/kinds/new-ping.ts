import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { findVisible } from '../../pings/pings.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { aboutPing, answers } from './content.rules.ts'
import { type Kind, minuteMs, type NewPush, type NotificationContent } from './kind.ts'

interface Subject {
  readonly ping_id: PingId
}

/** A friend has dropped a pin, or invited somebody to one. */
export const newPing: Kind<Subject> = {
  lifetimeMs: 240 * minuteMs,
  urgency: 'high',
  events: { ping_created: pushOf, people_invited: pushOf },
  hiddenTitle: (t) => t('pushes.hidden.new_ping'),
  async find({ pool, now, t }, { user_id, subject }) {
    const ping = await findVisible(pool, user_id, subject.ping_id, now())
    if (ping?.access !== 'invitee' || ping.status === 'expired') return null
    return { content: newPingContent(ping, t), endsAt: ping.expires_at }
  },
}

function pushOf(event: { pingId: PingId; inviteeIds: readonly UserId[]; at: Date }): NewPush<Subject> {
  const { pingId, inviteeIds: userIds, at } = event
  return { subject: { ping_id: pingId }, tag: `ping:${pingId}`, happenedAt: at, to: { userIds, dueAt: at } }
}

export function newPingContent(ping: PingRow, t: Translate): NotificationContent {
  const name = shownName(ping)
  const title = ping.status === 'pending' ? t('pushes.scheduled', { name }) : t('pushes.dropped', { name })
  return { ...aboutPing(ping, t), revision: ping.revision, title, actions: answers(t) }
}
