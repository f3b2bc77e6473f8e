import type { FieldError } from '@hither/contract/error-body.ts'
import type { RefusalCode } from '@hither/contract/refusals.ts'
import { listedLanguage } from '../i18n/language.ts'
import { textOf } from '../i18n/translate.ts'

/** The refusals that this app acts on, by the sentences in which servers of earlier versions send them without a code. */
export const codesOfSentences: Readonly<Record<string, RefusalCode>> = {
  'Username already taken': 'username_taken',
  'Email already registered': 'email_registered',
  'Please enter the password you signed up with': 'signup_unproven',
  'Please sign in again to do this.': 'recent_sign_in_required',
  'The password is not correct': 'wrong_password',
  'Pin not found or has expired': 'ping_not_found',
  'This response no longer exists.': 'guest_not_found',
  'This pin was changed on another device. Review the latest version and save again.': 'ping_edit_conflict',
  "This pin has already started, so its start time and duration can't change.": 'ping_started',
}

const foreign = new Set<string>()

/** Returns the text of a refusal in the active language, or the server's English sentence for a code without one. */
export function refusalText(code: string | null, detail: string): string {
  return known(code === null ? null : textOf(`errors.${code}`), detail)
}

/** Whether the app has a sentence for this code. */
export function isKnownRefusal(code: string | null): boolean {
  return code !== null && code !== 'internal_error' && textOf(`errors.${code}`) !== null
}

/** Like `refusalText`, for one field. */
export function faultText({ code, params, msg }: FieldError): string {
  return known(code === undefined ? null : textOf(`errors.fault.${code}`, params), msg)
}

/** Returns the errors of the fields as one sentence. */
export function validationText(errors: readonly FieldError[]): string {
  const sentences = errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join(', ')
  return known(textOf('errors.validation', { errors: sentences }), `Validation errors: ${sentences}`)
}

/** Returns a response without a sentence as "API Error: 502 Bad Gateway", where `what` is "API Error". In every language. */
export function statusTextOf({ status, statusText }: Pick<Response, 'status' | 'statusText'>, what: string): string {
  return known(null, `${what}: ${status} ${statusText}`.trim())
}

/** Returns `en` for a sentence that is shown untranslated, so that screen readers pronounce it as English. */
export function langOf(text: string): 'en' | undefined {
  return foreign.has(text) ? 'en' : undefined
}

function known(text: string | null, sentence: string): string {
  if (text !== null) return text
  // Only this many are remembered, because a sentence can contain an id.
  if (listedLanguage !== 'en' && foreign.size < 1000) foreign.add(sentence)
  return sentence
}
