import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type Changes } from '../platform/changes.ts'
import { type Pool } from '../platform/database.ts'
import { findKeptKey, lockKeptKeys, upsertKeptKey } from './push-keys.queries.ts'
import { deleteAllSubscriptions } from './subscriptions.queries.ts'

/** By which push services know this server (RFC 8292); base64url. */
export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const name = 'vapid'

/**
 * Made once and kept in the database, where every node finds them; encrypted, so that whoever has a copy of the database
 * cannot push to the devices that stand in it. Where the secret has changed they are made anew: what was subscribed with the
 * old ones is forgotten, and browsers subscribe again.
 */
export function keptPushKeys(
  { pool, changes }: { pool: Pool; changes: Changes },
  authSecret: string,
): Promise<PushKeys> {
  return changes.commit(pool, async (db) => {
    await lockKeptKeys(db)
    const sealed = await findKeptKey(db, name)
    const kept = sealed && open(sealed, authSecret)
    if (kept) return kept
    const { default: webPush } = await import('web-push')
    const keys = webPush.generateVAPIDKeys()
    await upsertKeptKey(db, name, seal(keys, authSecret))
    await deleteAllSubscriptions(db)
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

/** `null` where it was sealed with another secret. */
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
