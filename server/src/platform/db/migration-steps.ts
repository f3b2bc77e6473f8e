import { emailKeyOf, usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Tx } from './database.ts'

/** What the operator must know of a migrated database. */
export type Notice = string

/** The parts of migrations that SQL cannot express, by the name in their `-- run:` lines. */
export const migrationSteps: Readonly<Record<string, (tx: Tx) => Promise<Notice[]>>> = {
  'fill identifier keys': fillIdentifierKeys,
}

const batchRows = 5000

async function fillIdentifierKeys(tx: Tx): Promise<Notice[]> {
  for (const table of ['users', 'signups'])
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const rows = await tx<{ id: string; email: string; username: string }[]>`
        select id, email, username from ${tx(table)} where id > ${after} order by id limit ${batchRows}`
      await tx`
        update ${tx(table)} t set email_key = k.email_key, username_key = k.username_key
        from unnest(
          ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ email }) => emailKeyOf(email))}::text[],
          ${rows.map(({ username }) => usernameKeyOf(username))}::text[]) as k (id, email_key, username_key)
        where t.id = k.id`
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
    }
  return [...(await separate(tx, 'email_key', 'email address')), ...(await separate(tx, 'username_key', 'username'))]
}

/**
 * Gives accounts that were two and have one key now keys of their own. The one with the confirmed address keeps the key, and of
 * several the oldest. No spelling of an address or name has a key with a space, so the others are not found by it.
 */
async function separate(tx: Tx, column: 'email_key' | 'username_key', what: string): Promise<Notice[]> {
  const separated = await tx<{ id: string; keeper: string }[]>`
    with ranked as (
      select id, first_value(id) over same as keeper, row_number() over same as place
      from users window same as (partition by ${tx(column)} order by email_confirmed_at is null, created_at, id)
    )
    update users u set ${tx(column)} = u.${tx(column)} || ' ' || u.id from ranked r where r.id = u.id and r.place > 1
    returning u.id, r.keeper`
  return separated.map(
    ({ id, keeper }) =>
      `The accounts ${keeper} and ${id} have the same ${what} in two spellings. It belongs to the first one now; the second one keeps its data and its other ways to sign in (docs/operations.md, "Accounts with the same address").`,
  )
}
