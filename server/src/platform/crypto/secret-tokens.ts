import { createHash, randomBytes } from 'node:crypto'

/** Returns 256 random bits in a form that is valid in a URL. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url')
}

// A token has 256 random bits, so a plain digest is sufficient. It can be found by an index.
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
