export const userLimits = {
  usernameMin: 2,
  usernameMax: 30,
  /** Not only dots: `..` in a path is the folder above, so that no browser can request a path with such a name. */
  usernamePattern: '^(?!\\.+$)[A-Za-z0-9_.-]+$',
  displayNameMax: 40,
} as const

export const userTexts = {
  displayNameInvalid: 'Please enter a name with 1 to 40 characters and no links.',
} as const

/** The number of colors of avatars without a picture. */
const avatarColors = 12

/** Returns the color of a user's avatar as an index below `avatarColors`, from the hash FNV-1a of the user's id. */
export function avatarColorOf(userId: string): number {
  let hash = 2_166_136_261
  for (const char of userId) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return (hash >>> 0) % avatarColors
}

/** Returns the name that others see: the display name, or the username of a user without one. */
export function shownName(user: { username: string; display_name: string | null }): string {
  return user.display_name ?? user.username
}

/** Under which browsers save the data of an account. */
export const exportFileName = 'hither-export.json'
