import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, fit for an address. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url')
}

// A token is 256 random bits: a plain digest is enough, and lets it be found by an index.
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
