import { fieldError, InvalidInput } from '../../platform/errors/refusal.ts'

/** Loaded with the first new password: the list takes about 20 MB of memory. */
let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * Refuses a new password that is among the 49,000 most common ones, ignoring case, with a 422 for the body's `field`.
 * Attackers try such passwords first.
 */
export async function assertUncommonPassword(password: string, field: string): Promise<void> {
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase()))
    throw new InvalidInput(fieldError('body', field)('password_too_common', 'password_too_common'))
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
