import type { StoredItem } from '@hither/contract/stored-data.ts'
import { monthAndYear, shortDate } from '../../ui/format-time.ts'
import { storedLines, storedStrings as strings } from './strings.ts'

/** "2 exact places of your pins. The last one goes Nov 29." */
export function storedText({ kind, count, oldest_at, last_erased_at }: StoredItem): string {
  const text = storedLines[kind](count, oldest_at === null ? '' : monthAndYear(oldest_at))
  if (last_erased_at === null) return text
  const date = shortDate(last_erased_at)
  const end = count === 1 ? strings.goes : kind === 'ending_messages' ? strings.allGo : strings.lastGoes
  return `${text} ${end(date)}`
}

/** Where the things of a kind can be deleted. */
export const storedAddresses: { readonly [K in StoredItem['kind']]: string } = {
  exact_places: '/',
  pins: '/',
  responses: '/',
  trips: '/profile',
  ending_messages: '/chat',
  messages: '/chat',
  photos: '/chat',
  places: '/chat',
  reactions: '/chat',
  chats: '/chat',
  friends: '/friends',
  friend_requests: '/friends',
  blocked_people: '/profile',
  circles: '/friends/circles',
  pictures: '/profile',
  devices: '/profile',
  sign_in_methods: '/profile',
  friend_links: '/friends/links',
  security_events: '/profile',
  reports_made: '/profile',
  account: '/profile',
}

/** Returns the lines of a section. A newer server may name kinds that this version does not know. */
export function storedOf(items: readonly StoredItem[], erasure: StoredItem['erasure']): StoredItem[] {
  return items.filter((item) => item.erasure === erasure && item.kind in storedLines)
}
