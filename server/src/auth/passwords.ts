import { hash, verify } from '@node-rs/argon2'

/**
 * Argon2id with the parameters OWASP's password storage page names first (19 MiB, two passes, one lane), on the thread
 * pool. A string without a hash to compare is hashed all the same, so that an unknown address takes as long as a known one.
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let hashOfNothing: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, options)
}

export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  hashOfNothing ??= hashPassword('no account has this password')
  const matches = await verify(passwordHash ?? (await hashOfNothing), password)
  return matches && passwordHash != null
}
