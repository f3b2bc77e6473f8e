/** Parts of file names: the rules and the HTTP and live behavior that most changes touch. */
export const quickServerFiles = [
  '.rules.test.ts',
  'src/config.test.ts',
  'src/auth/auth.test.ts',
  'src/friends/friends.test.ts',
  'src/geo/geo.test.ts',
  'src/messages/conversations.test.ts',
  'src/messages/sending.test.ts',
  'src/pings/pings.test.ts',
  'src/pings/responses/',
  'src/platform/http/error-handler.test.ts',
  'src/realtime/subscriptions/delivery.test.ts',
  'src/realtime/subscriptions/filters.test.ts',
  'src/trips/trips.test.ts',
  'src/users/users.test.ts',
  'test/system/mass-assignment.test.ts',
] as const

/** The tag of the dozen browser tests that run with them. */
export const quickBrowserTag = '@quick'
