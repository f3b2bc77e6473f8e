import { isLanguageTag, type LanguageTag, matchLanguage, sourceLanguage } from '@hither/contract/runtime/locales.ts'
import type { User } from '@hither/contract/users.ts'
import { ApiError, call } from '../../api/transport.ts'
import { deviceStorage, type TextStorage, tabStorage } from '../../device/storage.ts'
import { limitTime, responseWithinMs } from '../../device/time-limit.ts'
import { activeLanguage } from '../../i18n/language.ts'
import { textAddresses } from '../../i18n/texts.ts'

// The script of `index.html` reads the first two keys. The first is of the device, the second of the tab.
const chosenKey = 'locale'
const tabKey = 'locale'
/** The id of a user and the choice that their account does not know yet, separated by a space. */
const unsentKey = 'locale_unsent'
const changedKey = 'locale_changed'
/** The language of the account for which this tab was loaded again. */
const followedKey = 'locale_followed'

/** How long a choice may wait for the server before the page is reloaded. It is sent again at the next start. */
const sendWithinMs = 700

/** Returns the language that was chosen on this device; null for automatic. */
export function chosenLanguage(): LanguageTag | null {
  const chosen = deviceStorage.getItem(chosenKey)
  return isLanguageTag(chosen) ? chosen : null
}

/** Returns the language that automatic means on this device. */
export function automaticLanguage(): LanguageTag {
  const served = document.documentElement.dataset['served']
  return matchLanguage(navigator.languages) ?? (isLanguageTag(served) ? served : sourceLanguage)
}

/**
 * Stores a choice on the device and in the account, and reloads the page in that language. Resolves to false, without a change, if
 * the texts of the language cannot be loaded.
 */
export async function chooseLanguage(choice: LanguageTag | null, user: User | null): Promise<boolean> {
  const language = choice ?? automaticLanguage()
  if (!(await areTextsThere(language))) return false
  store(choice)
  write(tabStorage, tabKey, null)
  write(tabStorage, changedKey, language)
  if (user !== null) {
    write(deviceStorage, unsentKey, `${user.id} ${choice ?? ''}`)
    await Promise.race([sendUnsentLanguage(user), new Promise((resolve) => setTimeout(resolve, sendWithinMs))])
  }
  location.reload()
  return true
}

/** Sends a choice that has not reached the account, and resolves to the account as it is then; null if nothing was sent. */
export async function sendUnsentLanguage(user: User): Promise<User | null> {
  const unsent = unsentChoiceOf(user)
  if (unsent === null) return null
  try {
    const locale = isLanguageTag(unsent) ? unsent : null
    const changed = await call('PATCH /users/:id', { params: { id: user.id }, body: { locale } })
    if (unsentChoiceOf(user) === unsent) write(deviceStorage, unsentKey, null)
    return changed
  } catch (error) {
    // A server of an earlier version does not know the field.
    if (error instanceof ApiError && error.status === 422) write(deviceStorage, unsentKey, null)
    return null
  }
}

/** Reloads the page, or loads `path`, in the language of the account if it shows another one. Returns whether it does. */
export function followLanguage(user: User, path?: string): boolean {
  const { locale } = user
  if (locale === activeLanguage) write(tabStorage, followedKey, null)
  const isOfTab = tabStorage.getItem(tabKey) !== null
  if (!isLanguageTag(locale) || locale === activeLanguage || isOfTab || unsentChoiceOf(user) !== null) return false
  // A page that could not take over the choice must not be loaded again.
  if (tabStorage.getItem(followedKey) === locale) return false
  if (!store(locale) || !write(tabStorage, followedKey, locale)) return false
  if (path === undefined) location.reload()
  else location.replace(path)
  return true
}

/** Forgets the choice of a user who signed out before it was sent. */
export function forgetUnsentLanguage() {
  write(deviceStorage, unsentKey, null)
}

/** Returns true once after a page was reloaded for a chosen language. */
export function takeLanguageChanged(): boolean {
  const changed = tabStorage.getItem(changedKey)
  write(tabStorage, changedKey, null)
  return changed !== null
}

/** Returns a tag, or an empty text for automatic; null if the account knows the choice of this user. */
function unsentChoiceOf({ id }: User): string | null {
  const [userId, choice = ''] = (deviceStorage.getItem(unsentKey) ?? '').split(' ')
  return userId === id ? choice : null
}

async function areTextsThere(language: LanguageTag): Promise<boolean> {
  const limit = limitTime(responseWithinMs)
  try {
    const addresses = Object.values(textAddresses(language))
    const responses = await Promise.all(addresses.map((address) => fetch(address, { signal: limit.signal })))
    // The sign-in page of a network is no file of texts.
    return responses.every(({ ok, headers }) => ok && headers.get('Content-Type')?.startsWith('application/json'))
  } catch {
    return false
  } finally {
    limit.end()
  }
}

function store(choice: LanguageTag | null): boolean {
  return write(deviceStorage, chosenKey, choice)
}

/** Returns whether the browser has stored the value; null removes it. */
function write(storage: TextStorage, key: string, value: string | null): boolean {
  if (value !== null) return storage.setItem(key, value)
  storage.removeItem(key)
  return true
}
