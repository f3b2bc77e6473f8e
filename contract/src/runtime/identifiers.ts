/** The parts between the dots: before the `@`, the characters of RFC 5322 and letters of other scripts (RFC 6531). */
const localForm =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}]+)*$/u
const domainForm = /^[-.\u00b7\p{L}\p{M}\p{N}]+$/u
const asciiLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether mail can be sent to the address. */
export function isEmailAddress(email: string): boolean {
  const [local = '', domain = '', ...more] = email.split('@')
  const isLocalPart = localForm.test(local) && local.length <= 64 && !isDisguised(local)
  return isLocalPart && more.length === 0 && asciiDomainOf(domain) !== null
}

/**
 * The same text for all spellings of one mailbox, and another one for every other mailbox. A text that is no address has a
 * key too, which belongs to no address.
 */
export function emailKeyOf(email: string): string {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  // Folded before it is normalized, which makes a K of the Kelvin sign.
  return `${foldAscii(local).normalize('NFC')}@${asciiDomainOf(domain) ?? foldAscii(domain)}`
}

/** The same text for all spellings of one username. */
export function usernameKeyOf(username: string): string {
  return foldAscii(username)
}

/** Lower-cases A–Z only: other letters have the lower case of an ASCII letter, such as `İ` and the Kelvin sign. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The domain as the DNS compares it: in lower case, and other scripts in their ASCII form. Null if it is no domain. */
function asciiDomainOf(domain: string): string | null {
  if (!domainForm.test(domain) || isDisguised(domain)) return null
  // A name of ASCII alone is compared as it is: a URL would read `0x7f.1` as a number.
  const ascii = /^[\0-\x7f]*$/.test(domain) ? foldAscii(domain) : hostOf(domain)
  const labels = ascii.split('.')
  const isDomain = labels.length > 1 && ascii.length <= 253 && labels.every((label) => asciiLabel.test(label))
  return isDomain && /[a-z]/.test(labels.at(-1) ?? '') ? ascii : null
}

function hostOf(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ''
}

/**
 * Whether the text has invisible characters, or some that look like ASCII, such as `ｅ` and the Kelvin sign: one program reads
 * those as the letter itself, and another one as another address.
 */
function isDisguised(text: string): boolean {
  const others = text.replace(/[\0-\x7f]+/g, '')
  return /\p{Default_Ignorable_Code_Point}/u.test(others) || /[\0-\x7f]/.test(others.normalize('NFKC'))
}
