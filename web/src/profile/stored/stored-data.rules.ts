import type { StoredItem } from '@hither/contract/stored-data.ts'
import { t } from '../../i18n/translate.ts'
import { monthAndYear, shortDate } from '../../ui/format-time.ts'

/** What is stored of a kind. `since` is the time of the oldest of it. */
const storedLines: { readonly [K in StoredItem['kind']]: (count: number, since: string) => string } = {
  exact_places: (count) => t('profile.stored.lines.exact_places', { count }),
  pins: (count) => t('profile.stored.lines.pins', { count }),
  responses: (count) => t('profile.stored.lines.responses', { count }),
  trips: (count) => t('profile.stored.lines.trips', { count }),
  ending_messages: (count) => t('profile.stored.lines.ending_messages', { count }),
  messages: (count, since) => t('profile.stored.lines.messages', { count, since }),
  photos: (count, since) => t('profile.stored.lines.photos', { count, since }),
  places: (count, since) => t('profile.stored.lines.places', { count, since }),
  reactions: (count, since) => t('profile.stored.lines.reactions', { count, since }),
  chats: (count) => t('profile.stored.lines.chats', { count }),
  friends: (count) => t('profile.stored.lines.friends', { count }),
  friend_requests: (count) => t('profile.stored.lines.friend_requests', { count }),
  blocked_people: (count) => t('profile.stored.lines.blocked_people', { count }),
  circles: (count) => t('profile.stored.lines.circles', { count }),
  pictures: () => t('profile.stored.lines.pictures'),
  devices: (count) => t('profile.stored.lines.devices', { count }),
  sign_in_methods: (count) => t('profile.stored.lines.sign_in_methods', { count }),
  friend_links: (count) => t('profile.stored.lines.friend_links', { count }),
  security_events: (count) => t('profile.stored.lines.security_events', { count }),
  reports_made: (count) => t('profile.stored.lines.reports_made', { count }),
  account: (_count, since) => t('profile.stored.lines.account', { since }),
}

/** "2 exact places of your pins. The last one goes Nov 29." */
export function storedText({ kind, count, oldest_at, last_erased_at }: StoredItem): string {
  const text = storedLines[kind](count, oldest_at === null ? '' : monthAndYear(oldest_at))
  if (last_erased_at === null) return text
  const date = shortDate(last_erased_at)
  const end =
    count === 1
      ? (date: string) => t('profile.stored.goes', { date })
      : kind === 'ending_messages'
        ? (date: string) => t('profile.stored.allGo', { date })
        : (date: string) => t('profile.stored.lastGoes', { date })
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
