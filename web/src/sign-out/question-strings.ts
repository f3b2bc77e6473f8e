export const questionStrings = {
  title: 'Sign out?',
  unsentText: (count: number) =>
    count === 1
      ? "1 change hasn't been sent yet. Signing out discards it."
      : `${count} changes haven't been sent yet. Signing out discards them.`,
  savedPlacesText: (count: number) =>
    count === 1
      ? '1 saved place is kept on this device only. Signing out removes it.'
      : `${count} saved places are kept on this device only. Signing out removes them.`,
  signOut: 'Sign out',
} as const
