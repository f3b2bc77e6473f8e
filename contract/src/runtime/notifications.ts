export const notificationLimits = {
  endpointMax: 2048,
  /** Devices of one user. Another device replaces the least recently used one. */
  devicesPerUser: 20,
  timeZoneMax: 64,
  mutesPerUser: 1000,
} as const

/** The kinds of notifications. A user can switch each kind on and off. `message_reaction` is off by default. */
export const notificationKinds = [
  'new_ping',
  'ping_activated',
  'ping_changed',
  'ping_reminder',
  'ping_response',
  'ping_trip',
  'message',
  'message_reaction',
  'friend_request',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const notificationTexts = {
  endpointInvalid: 'This is not the address of a push service.',
  keysInvalid: 'These are not the keys of a push subscription.',
  timeZoneUnknown: 'Please choose a time zone such as Europe/Berlin.',
  quietHoursEmpty: 'Quiet hours must end at a different time than they start.',
  muteOver: 'Please choose a time in the future.',
  subscribeFailed: 'Failed to turn on notifications',
  unsubscribeFailed: 'Failed to turn off notifications',
  loadFailed: 'Failed to load notification settings',
  saveFailed: 'Failed to save notification settings',
  muteFailed: 'Failed to mute conversation',
  testFailed: 'Failed to send a test notification',
} as const
