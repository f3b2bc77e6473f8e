import type { Address } from '../operation.ts'

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

export const getMe = {
  method: 'GET',
  path: '/users/me',
  auth: 'required',
} as const satisfies Address

export const getUser = {
  method: 'GET',
  path: '/users/:id',
  auth: 'required',
} as const satisfies Address

export const updateUser = {
  method: 'PATCH',
  path: '/users/:id',
  auth: 'required',
} as const satisfies Address

export const lookupUser = {
  method: 'POST',
  path: '/users/lookup',
  auth: 'required',
} as const satisfies Address

export const exportAccount = {
  method: 'GET',
  path: '/users/me/export',
  auth: 'required',
  download: 'hither-export.json',
} as const satisfies Address

/** The same address for a caller who proves themselves with their password, which no URL may contain. */
export const exportAccountWithPassword = {
  method: 'POST',
  path: '/users/me/export',
  auth: 'required',
  download: 'hither-export.json',
} as const satisfies Address

export const deleteAccount = {
  method: 'DELETE',
  path: '/users/me',
  auth: 'required',
} as const satisfies Address
