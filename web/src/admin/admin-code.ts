import { tabStorage } from '../device/storage.ts'

const key = 'admin_code'
const lengthMax = 100

/** The code in the fragment of an admin link; null if it has none. */
export function adminCodeIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('code')?.slice(0, lengthMax) || null
}

/** Returns the code of the admin link that was opened in this tab. It is neither in the address nor in a history entry. */
export function readAdminCode(): string | null {
  return tabStorage.getItem(key)
}

export function storeAdminCode(code: string) {
  tabStorage.setItem(key, code)
}

export function clearAdminCode() {
  tabStorage.removeItem(key)
}
