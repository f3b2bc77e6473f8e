import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { rowOf } from '../../events/positions.ts'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * The position of everything that was delivered is also the time of the last change of anybody. Clients get it encrypted, and
 * differently each time, so that nobody learns from it when others are active.
 */
export interface PositionSeal {
  seal(position: string): string
  /** Returns the position that a client names: a sealed one, or that of a change. Any other text is returned as it is. */
  open(text: string): string
}

/** `secret` is the same on every node. */
export function createPositionSeal(secret: string): PositionSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'positions of the live channel', 32))
  return {
    seal(position) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv)
      const sealed = [iv, cipher.update(position, 'latin1'), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(sealed).toString('base64url')
    },
    open(text) {
      if (rowOf(text) !== null) return text
      try {
        const sealed = Buffer.from(text, 'base64url')
        const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
        decipher.setAuthTag(sealed.subarray(-tagBytes))
        return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'latin1') + decipher.final('latin1')
      } catch {
        return text
      }
    },
  }
}
