import { randomBytes } from 'node:crypto'
import { recoveryLimits } from '@hither/contract/runtime/auth/recovery.ts'

/** The digits of Crockford's base32: no I, L, O and U. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const group = /.{4}(?=.)/g

/** Returns a new code such as `K7QM-2XPD-9TRA-H4WE`, with five random bits a letter. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(recoveryLimits.codeLength)].map((byte) => digits[byte % digits.length])
  return letters.join('').replace(group, '$&-')
}

/** Returns the letters of a typed code. Ignores case, spaces and hyphens, and reads letters that look like digits. */
export function readRecoveryCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
}
