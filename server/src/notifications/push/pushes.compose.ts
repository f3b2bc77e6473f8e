import type { NotificationPreferences, PushPayload } from '@hither/contract/notifications.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Pool, Tx } from '../../platform/db/database.ts'
import { firstLanguage, type Translate, translatorOf } from '../../platform/languages/translator.ts'
import { kinds } from '../kinds/index.ts'
import type { CurrentContent, NotificationContent, PushKind } from '../kinds/kind.ts'
import { findPreferences } from '../preferences.queries.ts'
import { isQuiet } from '../preferences.rules.ts'
import type { PushDelivery } from './pushes.queries.ts'

export interface Composed {
  readonly payload: PushPayload
  /** When the push is outdated. */
  readonly endsAt: Date
  /** Events from this time on are not in this push. */
  readonly nextAt: Date
  /** Stores that the push was sent. */
  readonly whenSent?: (tx: Tx) => Promise<void>
}

interface ComposeDeps {
  pool: Pool
  now: () => Date
  defaultLanguage: LanguageTag
}

/**
 * Composes a push when it is sent: checks that the user still wants it and may still see its subject, and reads the
 * current content. Each kind uses the visibility rule of its feature. The language is that of the receiver.
 */
export async function composePush(deps: ComposeDeps, delivery: PushDelivery): Promise<Composed | null> {
  const { kind, tag, user_id, expires_at, happened_at } = delivery
  const preferences = await findPreferences(deps.pool, user_id)
  if (!isWanted(kind, preferences, deps.now())) return null
  const { t } = translatorOf(firstLanguage(delivery.user_locale, delivery.session_locale, deps.defaultLanguage))
  const current = await kinds[kind].find({ pool: deps.pool, now: deps.now, t }, delivery)
  if (!current) return null
  const content = preferences.hide_details ? hideDetails(kind, current, t) : current.content
  const endsAt = new Date(Math.min(Date.parse(expires_at), Date.parse(current.endsAt ?? expires_at)))
  const payload = { kind, tag, timestamp: Date.parse(current.at ?? happened_at), ...content }
  // The time of this node could be later than that of an event that is committed after the read.
  const nextAt = current.at === undefined ? deps.now() : new Date(Date.parse(current.at) + 1)
  return { payload, endsAt, nextAt, ...(current.whenSent && { whenSent: current.whenSent }) }
}

/** What the preferences do not name is always sent. */
function isWanted(kind: PushKind, preferences: NotificationPreferences, now: Date): boolean {
  const switches: Readonly<Partial<Record<PushKind, boolean>>> = preferences.kinds
  const isOn = switches[kind]
  return isOn === undefined || (isOn && !isQuiet(preferences.quiet_hours, now))
}

/** Removes names and texts, which others could read on the lock screen. */
function hideDetails(kind: PushKind, { content, hiddenTitle }: CurrentContent, t: Translate): NotificationContent {
  return { ...content, title: hiddenTitle ?? kinds[kind].hiddenTitle(t), body: '', actions: [] }
}
