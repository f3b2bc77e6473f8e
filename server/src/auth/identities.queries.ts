import { type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

export async function findIdentity(db: Db, issuer: string, subject: string): Promise<UserId | undefined> {
  const [row] = await db<{ user_id: UserId }[]>`
    select user_id from identities where issuer = ${issuer} and subject = ${subject}`
  return row?.user_id
}

export async function hasIdentity(db: Db, userId: UserId): Promise<boolean> {
  const rows = await db`select 1 from identities where user_id = ${userId} limit 1`
  return rows.length > 0
}

export async function insertIdentity(
  db: Db,
  identity: { issuer: string; subject: string; userId: UserId; now: Date },
): Promise<void> {
  await db`
    insert into identities (issuer, subject, user_id, created_at)
    values (${identity.issuer}, ${identity.subject}, ${identity.userId}, ${identity.now})`
}
