export const outboxStrings = {
  signOutTitle: 'Sign out?',
  signOutText: (count: number) =>
    count === 1
      ? '1 thing you did here has not been sent yet. Signing out discards it.'
      : `${count} things you did here have not been sent yet. Signing out discards them.`,
  signOut: 'Sign out',
} as const
