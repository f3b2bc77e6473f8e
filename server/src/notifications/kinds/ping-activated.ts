import type { PingId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { findVisible } from '../../pings/pings.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { aboutPing, answers } from './content.rules.ts'
import { type Kind, minuteMs, type NotificationContent } from './kind.ts'

/** A scheduled pin has started. */
export const pingActivated: Kind<{ readonly ping_id: PingId }> = {
  lifetimeMs: 240 * minuteMs,
  urgency: 'high',
  events: {
    ping_activated: ({ pingId, audience: userIds, at }) => ({
      // It replaces the notification of the new pin.
      ...{ subject: { ping_id: pingId }, tag: `ping:${pingId}`, happenedAt: at, to: { userIds, dueAt: at } },
    }),
  },
  hiddenTitle: (t) => t('pushes.hidden.new_ping'),
  async find({ pool, now, t }, { user_id, subject }) {
    const ping = await findVisible(pool, user_id, subject.ping_id, now())
    if (!ping || ping.access === 'link' || ping.status !== 'active') return null
    return { content: contentOf(ping, ping.access === 'owner', t), endsAt: ping.expires_at }
  },
}

function contentOf(ping: PingRow, isOwner: boolean, t: Translate): NotificationContent {
  if (isOwner) return { ...aboutPing(ping, t, ping.name), title: t('pushes.ownActive'), actions: [] }
  const title = t('pushes.active', { name: shownName(ping) })
  return { ...aboutPing(ping, t), revision: ping.revision, title, actions: answers(t) }
}
