import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { Guest, PingRow, ResponseType } from '@hither/contract/pings.ts'
import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { listAnswered } from '../../pings/guests/guest-owner.service.ts'
import { findVisible } from '../../pings/pings.service.ts'
import type { TakenBack } from '../../pings/place/place.rules.ts'
import { findTakenBack, listTakenBackByGuests } from '../../pings/place/place.service.ts'
import { findResponse } from '../../pings/responses/responses.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'
import { linkTo } from './content.rules.ts'
import {
  type ContentDeps,
  type CurrentContent,
  type Kind,
  minuteMs,
  type NotificationContent,
  type QueuedPush,
} from './kind.ts'
import { messageGraceMs } from './message.ts'

interface Subject {
  readonly ping_id: PingId
  /** An invitee. Absent for guests, of whom several may share a push. */
  readonly responder_id?: UserId
}

/** The owner of a pin is notified of answers. */
export const pingResponse: Kind<Subject> = {
  lifetimeMs: 240 * minuteMs,
  urgency: 'normal',
  events: {
    ping_answered: ({ pingId, responderId, ownerId, at }) => ({
      subject: { ping_id: pingId, responder_id: responderId },
      tag: `answer:${pingId}:${responderId}`,
      happenedAt: at,
      to: { userIds: [ownerId], dueAt: at },
    }),
    guest_answered: ({ pingId, ownerId, dueAt, at }) => ({
      ...{ subject: { ping_id: pingId }, tag: `guests:${pingId}`, happenedAt: at, to: { userIds: [ownerId], dueAt } },
    }),
  },
  rejoinDelayMs: ({ responder_id }) => (responder_id === undefined ? guestLimits.pushPauseMs : messageGraceMs),
  hiddenTitle: (t) => t('pushes.hidden.ping_response'),
  async find(deps, push) {
    const ping = await findVisible(deps.pool, push.user_id, push.subject.ping_id, deps.now())
    if (ping?.access !== 'owner' || ping.status === 'expired') return null
    const { responder_id } = push.subject
    const current =
      responder_id === undefined
        ? await findOfGuests(deps, push, ping)
        : await findOfInvitee(deps, push, ping, responder_id)
    return current && { ...current, endsAt: ping.expires_at }
  },
}

async function findOfInvitee(
  { pool, t }: ContentDeps,
  { happened_at }: QueuedPush<Subject>,
  ping: PingRow,
  responderId: UserId,
): Promise<CurrentContent | null> {
  const answer = await findResponse(pool, ping.id, responderId)
  if (answer) return { content: responseContent(ping, shownName(answer), answer.response_type, t) }
  const takenBack = await findTakenBack(pool, ping.id, happened_at, responderId)
  return takenBack ? { content: takenBackContent(ping, takenBack, t) } : null
}

/** The guests who have answered, or were given the exact place and took their answer back, since the event of the push. */
async function findOfGuests(
  { pool, t }: ContentDeps,
  { happened_at }: QueuedPush<Subject>,
  ping: PingRow,
): Promise<CurrentContent | null> {
  const guests = await listAnswered(pool, ping.id, happened_at)
  const takenBack = await listTakenBackByGuests(pool, ping.id, happened_at)
  const answers = [
    ...guests.map((guest) => ({ at: guest.updated_at, content: () => guestContent(ping, guest, t) })),
    ...takenBack.map((person) => ({ at: person.at, content: () => takenBackContent(ping, person, t) })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const latest = answers.at(-1)
  if (!latest) return null
  const content = answers.length === 1 ? latest.content() : guestsContent(ping, answers.length, t)
  return { content, at: latest.at }
}

function responseContent(ping: PingRow, name: string, type: ResponseType, t: Translate): NotificationContent {
  const titles = {
    accepted: t('pushes.isGoing', { name }),
    tentative: t('pushes.mayCome', { name }),
    declined: t('pushes.cannotCome', { name }),
  }
  return { ...linkTo(ping), title: titles[type], body: ping.name, actions: [] }
}

function guestContent(ping: PingRow, { name, state, response_type }: Guest, t: Translate): NotificationContent {
  const titles = {
    accepted: t('pushes.guestIsGoing', { name }),
    tentative: t('pushes.guestMayCome', { name }),
    declined: t('pushes.guestCannotCome', { name }),
  }
  const title = state === 'approved' ? titles[response_type] : t('pushes.wantsToJoin', { name })
  return { ...linkTo(ping), title, body: ping.name, actions: [] }
}

/** Somebody was given the exact place by an answer and has taken it back. */
function takenBackContent(ping: PingRow, { user_id, name }: TakenBack, t: Translate): NotificationContent {
  const title = user_id === null ? t('pushes.guestTookBack', { name }) : t('pushes.tookBack', { name })
  return { ...linkTo(ping), title, body: ping.name, actions: [] }
}

function guestsContent(ping: PingRow, count: number, t: Translate): NotificationContent {
  return { ...linkTo(ping), title: t('pushes.guestResponses', { count }), body: ping.name, actions: [] }
}
