import type { StoredItem } from '@hither/contract/stored-data.ts'

interface StoredKind {
  /** When things of this kind are erased: by themselves, by the person, or with the account. */
  readonly erasure: StoredItem['erasure']
  /** The tables of the export that this kind stands for. */
  readonly tables: readonly string[]
}

/** Each table that the export reads belongs to a kind. A test compares the two. */
export const kinds: { readonly [K in StoredItem['kind']]: StoredKind } = {
  exact_places: { erasure: 'date', tables: ['location_pins', 'place_erasure'] },
  pins: {
    erasure: 'date',
    tables: ['location_pins', 'ping_recipients', 'ping_circles', 'ping_place_known_by', 'images'],
  },
  responses: { erasure: 'date', tables: ['ping_responses', 'ping_guests'] },
  trips: { erasure: 'date', tables: ['ping_trips'] },
  ending_messages: { erasure: 'date', tables: ['messages', 'chats'] },
  messages: { erasure: 'you', tables: ['messages'] },
  photos: { erasure: 'you', tables: ['messages', 'images'] },
  places: { erasure: 'you', tables: ['messages'] },
  reactions: { erasure: 'you', tables: ['message_reactions', 'messages'] },
  chats: { erasure: 'you', tables: ['chat_members', 'chats', 'chat_removals', 'chat_mutes', 'chat_keep_requests'] },
  friends: { erasure: 'you', tables: ['friendships'] },
  friend_requests: { erasure: 'you', tables: ['friend_requests'] },
  blocked_people: { erasure: 'you', tables: ['blocks'] },
  circles: { erasure: 'you', tables: ['circles', 'circle_members'] },
  pictures: { erasure: 'you', tables: ['images'] },
  devices: { erasure: 'you', tables: ['sessions', 'known_devices', 'push_subscriptions'] },
  sign_in_methods: { erasure: 'you', tables: ['passkeys', 'identities', 'recovery_codes'] },
  friend_links: { erasure: 'date', tables: ['friend_links', 'friend_link_uses'] },
  security_events: { erasure: 'date', tables: ['security_events'] },
  reports_made: { erasure: 'date', tables: ['reports'] },
  account: {
    erasure: 'account',
    tables: ['users', 'notification_preferences', 'admins', 'admin_actions', 'invitations'],
  },
}

/** Returns those tables that belong to no kind. */
export function tablesWithoutKind(tables: Iterable<string>): string[] {
  const known = new Set(Object.values(kinds).flatMap((kind) => kind.tables))
  return [...new Set(tables)].filter((table) => !known.has(table)).sort()
}
