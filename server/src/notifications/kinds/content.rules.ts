import type { PingId } from '@hither/contract/ids.ts'
import type { LastMessage } from '@hither/contract/messages/messages.ts'
import type { PushAction } from '@hither/contract/notifications.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { PingNotice } from '../../pings/changes/notices.service.ts'
import type { Translate } from '../../platform/languages/translator.ts'

// What several kinds say.

export function linkTo(ping: { id: PingId }) {
  return { url: `/pins/${ping.id}`, ping_id: ping.id }
}

/** The body contains neither location nor address, which others could read on the lock screen. */
export function aboutPing(ping: PingRow, t: Translate, name = nameForOthers(ping, t)) {
  const body = excerptOf(ping.message === null ? name : t('pushes.named', { name, text: ping.message }))
  return { ...linkTo(ping), body }
}

/** Others read "ann's pin" in place of a default name. */
export function nameForOthers(
  ping: Pick<PingRow, 'name' | 'is_unnamed' | 'username' | 'display_name'>,
  t: Translate,
): string {
  return ping.is_unnamed ? t('pushes.pinOf', { name: shownName(ping) }) : ping.name
}

export function answers(t: Translate): readonly PushAction[] {
  return [
    { action: 'accepted', title: t('pushes.going') },
    { action: 'tentative', title: t('pushes.maybe') },
    { action: 'declined', title: t('pushes.cannot') },
  ]
}

/** Whether the person is going or may come. */
export function isComing({ response }: PingNotice): boolean {
  return response !== null && response.response_type !== 'declined'
}

/** The text of a message. What stands for an attachment without caption is in the language of the receiver. */
export function shownContent({ content, kind, shows }: LastMessage, t: Translate): string {
  if (shows !== 'kind') return content
  return kind === 'photo' ? t('chat.photo.content') : t('chat.place.content')
}

const excerptMax = 200

/** Shortens a text, measured in code points. The result fits the 4 kB that every push service accepts. */
export function excerptOf(text: string): string {
  const points = [...text]
  return points.length <= excerptMax ? text : `${points.slice(0, excerptMax - 1).join('')}…`
}
