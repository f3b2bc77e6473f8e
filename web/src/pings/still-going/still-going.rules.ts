import type { PingResponse, ShownPing } from '@hither/contract/pings.ts'
import { t } from '../../i18n/translate.ts'
import { dayAndTime } from '../../ui/format-time.ts'

export type OutdatedResponse = Pick<PingResponse, 'response_type' | 'revision'>
export type ChangedPing = Pick<ShownPing, 'created_at' | 'activates_at' | 'place_revision' | 'time_revision'>

/** For example "sam changed the time to 8:30 PM. Still going?". `owner` is the name that others see. */
export function questionText(owner: string, ping: ChangedPing, response: OutdatedResponse, nowMs: number): string {
  return `${changeText(owner, ping, response.revision, nowMs)} ${questionOf(response)}`
}

/** What a person is asked who was going, or might come. */
export function questionOf({ response_type }: Pick<OutdatedResponse, 'response_type'>): string {
  return response_type === 'accepted' ? t('pings.stillGoing.stillGoing') : t('pings.stillGoing.areYouGoing')
}

/** Names everything that has changed since the revision that the person saw. */
function changeText(owner: string, ping: ChangedPing, revision: number, nowMs: number): string {
  const isTimeNew = ping.time_revision > revision
  const isPlaceNew = ping.place_revision > revision
  if (isTimeNew && isPlaceNew) return t('pings.stillGoing.changedBoth', { owner })
  if (isTimeNew)
    return t('pings.stillGoing.changedTime', { owner, time: dayAndTime(ping.activates_at ?? ping.created_at, nowMs) })
  return t('pings.stillGoing.changedPlace', { owner })
}
