import type { UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { storedFormsOf } from './issuers.rules.ts'

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<UserId | undefined> {
  const [row] = await db<{ user_id: UserId }[]>`
    select user_id from identities where issuer = any(${storedFormsOf(issuer)}::text[]) and subject = ${subject}
    order by created_at desc limit 1`
  return row?.user_id
}

interface IdentityRow {
  issuer: string
  email: string | null
  created_at: string
}

export async function listIdentities(db: Db, userId: UserId): Promise<IdentityRow[]> {
  return db<IdentityRow[]>`
    select issuer, email, created_at from identities where user_id = ${userId} order by created_at, issuer, subject`
}

/** Deletes the links of a user to users of this issuer, and returns how many there were. */
export async function deleteIdentities(tx: Tx, userId: UserId, issuer: string): Promise<number> {
  const { count } = await tx`
    delete from identities where user_id = ${userId} and issuer = any(${storedFormsOf(issuer)}::text[])`
  return count
}

export async function deleteIdentitiesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from identities where user_id = ${userId}`
}

export async function insertIdentity(
  tx: Tx,
  identity: { issuer: string; subject: string; email: string | null; userId: UserId; now: Date },
): Promise<void> {
  await tx`
    insert into identities (issuer, subject, email, user_id, created_at)
    values (${identity.issuer}, ${identity.subject}, ${identity.email}, ${identity.userId}, ${identity.now})`
}
