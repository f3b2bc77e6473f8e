export const notificationLimits = {
  endpointMax: 2048,
  /** Devices of one user. Another device replaces the least recently used one. */
  devicesPerUser: 20,
  timeZoneMax: 64,
  mutesPerUser: 1000,
} as const

/** The kinds of notifications that a user can switch on and off, in the order of the settings, with the default of each. */
export const notificationDefaults = {
  new_ping: true,
  ping_activated: true,
  ping_changed: true,
  ping_reminder: true,
  ping_response: true,
  ping_trip: true,
  message: true,
  message_reaction: false,
  friend_request: true,
}
export type NotificationKind = keyof typeof notificationDefaults
export const notificationKinds = Object.keys(notificationDefaults) as readonly NotificationKind[]

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
