export const signOutStrings = {
  failed: 'Failed to logout. Please try again.',
} as const
