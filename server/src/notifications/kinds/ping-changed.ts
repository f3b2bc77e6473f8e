import type { PingId } from '@hither/contract/ids.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { changePauseMs } from '../../pings/changes/notices.rules.ts'
import { findNotice, noteChangePushed, type PingNotice } from '../../pings/changes/notices.service.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { answers, isComing, linkTo, nameForOthers } from './content.rules.ts'
import { type Kind, minuteMs, type NotificationContent } from './kind.ts'

/** The place or time of a pin has changed since a person answered that they are going or may come, or it is canceled. */
export const pingChanged: Kind<{ readonly ping_id: PingId }> = {
  lifetimeMs: 240 * minuteMs,
  urgency: 'high',
  events: {
    ping_changed: ({ pingId, people, at }) => ({ ...about(pingId), happenedAt: at, to: { people } }),
    // It has the tag of a change, so that it replaces one that waits.
    ping_canceled: ({ pingId, userIds, at }) => ({
      ...about(pingId),
      happenedAt: at,
      to: { userIds, dueAt: at, isAtOnce: true },
    }),
  },
  rejoinDelayMs: () => changePauseMs,
  hiddenTitle: (t) => t('pushes.hidden.ping_changed'),
  async find({ pool, now, t }, { user_id, subject: { ping_id } }) {
    const ping = await findNotice(pool, user_id, ping_id, now())
    if (!ping || !isComing(ping)) return null
    if (ping.canceled_at !== null)
      return { content: cancellationContent(ping, t), hiddenTitle: t('pushes.hidden.ping_canceled') }
    const content = ping.status === 'expired' ? null : changeContent(ping, t)
    const whenSent = (tx: Tx) => noteChangePushed(tx, ping_id, user_id, now())
    return content && { content, endsAt: ping.expires_at, whenSent }
  },
}

function about(pingId: PingId) {
  return { subject: { ping_id: pingId }, tag: `change:${pingId}` }
}

/** Returns null if the response of the person is not outdated. */
function changeContent(ping: PingNotice, t: Translate): NotificationContent | null {
  const revision = ping.response?.revision ?? Number.POSITIVE_INFINITY
  const [hasNewTime, hasNewPlace] = [revision < ping.time_revision, revision < ping.place_revision]
  if (!hasNewTime && !hasNewPlace) return null
  const body = hasNewTime && hasNewPlace ? t('pushes.newBoth') : hasNewTime ? t('pushes.newTime') : t('pushes.newPlace')
  const title = t('pushes.changed', { name: shownName(ping), pin: nameForOthers(ping, t) })
  const seen = { revision: Math.max(ping.place_revision, ping.time_revision) }
  return { ...linkTo(ping), ...seen, title, body, actions: answers(t) }
}

function cancellationContent(ping: PingNotice, t: Translate): NotificationContent {
  const title = t('pushes.canceled', { name: shownName(ping), pin: nameForOthers(ping, t) })
  return { ...linkTo(ping), title, body: ping.cancel_message ?? '', actions: [] }
}
