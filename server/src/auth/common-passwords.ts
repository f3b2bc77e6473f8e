import { authTexts } from '@hither/contract/auth.ts'
import { fault, InvalidInput } from '../platform/refusal.ts'

/** Loaded with the first new password: the list takes some 20 MB of memory. */
let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * Refuses a new password that is among the 49,000 most common ones, in any case, with a 422 for the body's `field`. Such
 * passwords are what somebody who guesses tries first.
 */
export async function assertUncommonPassword(password: string, field: string): Promise<void> {
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase()))
    throw new InvalidInput(fault('body', field)(authTexts.passwordTooCommon, 'password_too_common'))
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
