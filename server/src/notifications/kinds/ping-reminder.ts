import type { PingId } from '@hither/contract/ids.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { findNotice, type PingNotice } from '../../pings/changes/notices.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { isComing, linkTo, nameForOthers } from './content.rules.ts'
import { type Kind, minuteMs, type NotificationContent } from './kind.ts'

/** The clock of the node that queued a reminder may be ahead of that of the node that sends it. */
const clockSkewMaxMs = 60_000

/** A scheduled pin starts soon. Nothing is sent if it was postponed since the reminder was queued. */
export const pingReminder: Kind<{ readonly ping_id: PingId }> = {
  lifetimeMs: 15 * minuteMs,
  urgency: 'high',
  events: {
    ping_starting: ({ pingId, userIds, at }) => ({
      ...{ subject: { ping_id: pingId }, tag: `reminder:${pingId}`, happenedAt: at, to: { userIds, dueAt: at } },
    }),
  },
  hiddenTitle: (t) => t('pushes.hidden.ping_reminder'),
  async find({ pool, now, t }, { user_id, subject }) {
    const ping = await findNotice(pool, user_id, subject.ping_id, now())
    if (!ping?.activates_at || ping.status !== 'pending' || !(ping.user_id === user_id || isComing(ping))) return null
    const leftMs = Date.parse(ping.activates_at) - now().getTime()
    if (leftMs > pingLimits.reminderMs + clockSkewMaxMs) return null
    return { content: contentOf(ping, leftMs, t), endsAt: ping.activates_at }
  },
}

/** `counts` are those of the owner's ping. */
function contentOf(ping: PingNotice, leftMs: number, t: Translate): NotificationContent {
  const { counts } = ping
  const minutes = Math.max(1, Math.round(leftMs / minuteMs))
  const name = counts ? ping.name : nameForOthers(ping, t)
  const body = counts
    ? t('pushes.counts', { going: counts.accepted, maybe: counts.tentative })
    : t('pushes.by', { name: shownName(ping) })
  return { ...linkTo(ping), title: t('pushes.startsIn', { name, minutes }), body, actions: [] }
}
