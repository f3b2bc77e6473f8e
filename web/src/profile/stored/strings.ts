import type { StoredItem } from '@hither/contract/stored-data.ts'
import { t } from '../../i18n/translate.ts'

export const storedStrings = {
  card: t('profile.stored.card'),
  title: t('profile.stored.title'),
  text: t('profile.stored.text'),
  back: t('profile.stored.back'),
  loading: t('profile.stored.loading'),
  failed: t('profile.stored.failed'),
  asOf: (time: string) => t('profile.stored.asOf', { time }),
  sections: {
    date: t('profile.stored.sections.date'),
    you: t('profile.stored.sections.you'),
    account: t('profile.stored.sections.account'),
    device: t('profile.stored.sections.device'),
  },
  goes: (date: string) => t('profile.stored.goes', { date }),
  lastGoes: (date: string) => t('profile.stored.lastGoes', { date }),
  allGo: (date: string) => t('profile.stored.allGo', { date }),
  notListed: t('profile.stored.notListed'),
  backups: (days: number) => t('profile.stored.backups', { days }),
  records: (count: number) => t('profile.stored.records', { count }),
  remove: t('profile.stored.remove'),
  removeRecords: t('profile.stored.removeRecords'),
  removed: t('profile.stored.removed'),
} as const

/** What is stored of a kind. `since` is the time of the oldest of it. */
export const storedLines: { readonly [K in StoredItem['kind']]: (count: number, since: string) => string } = {
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
