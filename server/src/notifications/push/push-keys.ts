import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Changes } from '../../events/changes.ts'
import type { Pool } from '../../platform/db/database.ts'
import { findStoredKey, lockStoredKeys, upsertStoredKey } from './push-keys.queries.ts'
import { deleteAllSubscriptions } from './subscriptions.queries.ts'

/** The VAPID key pair that identifies this server to push services (RFC 8292), in base64url. */
export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const name = 'vapid'

/**
 * Loads the key pair or creates it. It is stored in the database for all nodes, encrypted, so that a copy of the
 * database is not enough to push to the devices in it. If the secret has changed, a new pair is created, subscriptions
 * with the old one are deleted, and browsers subscribe again.
 */
export function loadOrCreatePushKeys(
  { pool, changes }: { pool: Pool; changes: Changes },
  authSecret: string,
): Promise<PushKeys> {
  return changes.commit(pool, async (tx) => {
    await lockStoredKeys(tx)
    const sealed = await findStoredKey(tx, name)
    const stored = sealed && open(sealed, authSecret)
    if (stored) return stored
    const { default: webPush } = await import('web-push')
    const keys = webPush.generateVAPIDKeys()
    await upsertStoredKey(tx, name, seal(keys, authSecret))
    await deleteAllSubscriptions(tx)
    return keys
  })
}

const ivBytes = 12
const tagBytes = 16

function seal(keys: PushKeys, authSecret: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(authSecret), iv)
  const body = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Decrypts a key pair. Returns `null` if it was encrypted with another secret. */
function open(sealed: Buffer, authSecret: string): PushKeys | null {
  const cipher = createDecipheriv('aes-256-gcm', sealingKey(authSecret), sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  cipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  try {
    const body = Buffer.concat([cipher.update(sealed.subarray(ivBytes + tagBytes)), cipher.final()])
    return JSON.parse(body.toString('utf8')) as PushKeys
  } catch {
    return null
  }
}

function sealingKey(authSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', authSecret, '', 'hither kept keys', 32))
}
