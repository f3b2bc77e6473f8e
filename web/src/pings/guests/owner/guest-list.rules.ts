import type { Guest } from '@hither/contract/pings.ts'
import { t } from '../../../i18n/translate.ts'

/** For example "3 guests · 1 waiting". */
export function guestsText(guests: readonly Guest[]): string {
  if (guests.length === 0) return t('pings.guestList.none')
  const waiting = countWaiting(guests)
  const total = t('pings.guestList.guests', { count: guests.length })
  return waiting === 0 ? total : `${total} · ${t('pings.guestList.waiting', { count: waiting })}`
}

export function countWaiting(guests: readonly Guest[]): number {
  return guests.filter(({ state }) => state === 'waiting').length
}

/** Those who need the owner come first, otherwise in the order of their responses. */
export function orderGuests(guests: readonly Guest[]): Guest[] {
  return guests.toSorted(
    (a, b) =>
      Number(b.state === 'waiting') - Number(a.state === 'waiting') ||
      Date.parse(a.created_at) - Date.parse(b.created_at),
  )
}
