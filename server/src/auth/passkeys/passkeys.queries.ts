import type { Passkey } from '@hither/contract/auth/passkeys.ts'
import type { PasskeyId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { Db, Pool, Tx } from '../../platform/db/database.ts'

interface NewPasskey {
  readonly id: PasskeyId
  readonly userId: UserId
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly aaguid: string
  readonly backedUp: boolean
  readonly name: string
  readonly now: Date
}

/** Inserts a passkey and returns whether its credential was new. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<boolean> {
  const { count } = await tx`
    insert into passkeys (
      id, user_id, credential_id, public_key, counter, transports, aaguid, backed_up, name, created_at)
    values (
      ${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.transports as string[]}::text[], ${passkey.aaguid}, ${passkey.backedUp}, ${passkey.name}, ${passkey.now})
    on conflict (credential_id) do nothing`
  return count > 0
}

export async function countPasskeys(tx: Tx, userId: UserId): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from passkeys where user_id = ${userId}`
  return row.count
}

/** Lists the passkeys of a user, newest first. */
export async function listPasskeys(db: Db, userId: UserId): Promise<Passkey[]> {
  return db<Passkey[]>`
    select id, name, created_at, last_used_at, backed_up from passkeys where user_id = ${userId} order by id desc`
}

/** Renames a passkey of this user and returns it. */
export async function updateName(tx: Tx, userId: UserId, id: PasskeyId, name: string): Promise<Passkey | undefined> {
  const [row] = await tx<Passkey[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId}
    returning id, name, created_at, last_used_at, backed_up`
  return row
}

/** Deletes a passkey of this user and returns whether it existed. */
export async function deletePasskey(tx: Tx, userId: UserId, id: PasskeyId): Promise<boolean> {
  const { count } = await tx`delete from passkeys where id = ${id} and user_id = ${userId}`
  return count > 0
}

export async function deletePasskeysOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from passkeys where user_id = ${userId}`
}

export interface Owner {
  username: string
  display_name: string | null
  /** Whether the session was opened after `recentSince`. Without it, no challenge was stored. */
  is_recent: boolean
  credentials: { id: string; transports: string[] }[]
}

/**
 * Returns what the options of a new passkey need, and stores its challenge if the sign-in is recent or `isProven`; undefined
 * once the session has ended or expired. One statement, which is a transaction of its own.
 */
export async function startCreation(
  pool: Pool,
  of: {
    userId: UserId
    sessionId: SessionId
    recentSince: Date
    isProven: boolean
    hash: Buffer
    now: Date
    expiresAt: Date
  },
): Promise<Owner | undefined> {
  const [row] = await pool<Owner[]>`
    with owner as (
      select u.id, u.username, u.display_name, s.created_at > ${of.recentSince} as is_recent
      from users u join sessions s on s.user_id = u.id
      where u.id = ${of.userId} and s.id = ${of.sessionId} and s.ended_at is null and s.expires_at > ${of.now}),
    challenge as (
      insert into auth_challenges (hash, purpose, user_id, data, created_at, expires_at)
      select ${of.hash}::bytea, 'passkey_create', id, '{}', ${of.now}::timestamptz, ${of.expiresAt}::timestamptz
      from owner where is_recent or ${of.isProven}::boolean)
    select username, display_name, is_recent,
      (select coalesce(json_agg(json_build_object(
          'id', translate(rtrim(translate(encode(credential_id, 'base64'), chr(10), ''), '='), '+/', '-_'),
          'transports', transports)), '[]')
        from passkeys p where p.user_id = owner.id) as credentials
    from owner`
  return row
}

interface UsedPasskey {
  id: PasskeyId
  user_id: UserId
  credential_id: Buffer
  public_key: Buffer
  counter: string
}

/**
 * Uses up the challenge and finds the passkey of a sign-in; undefined if either does not exist. One statement, which is a
 * transaction of its own: of concurrent calls with one challenge, one finds the passkey.
 */
export async function takeSignIn(
  pool: Pool,
  { hash, credentialId, now }: { hash: Buffer; credentialId: Buffer; now: Date },
): Promise<UsedPasskey | undefined> {
  const [row] = await pool<UsedPasskey[]>`
    with challenge as (
      delete from auth_challenges where hash = ${hash} and purpose = 'passkey_sign_in' returning expires_at)
    select id, user_id, credential_id, public_key, counter::text as counter
    from passkeys
    where credential_id = ${credentialId} and exists (select 1 from challenge where expires_at > ${now})`
  return row
}

/** Returns whether the passkey still exists. */
export async function updateUsed(
  tx: Tx,
  id: PasskeyId,
  use: { counter: number; backedUp: boolean; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update passkeys
    set last_used_at = ${use.now}, counter = greatest(counter, ${use.counter}), backed_up = ${use.backedUp}
    where id = ${id}`
  return count > 0
}
