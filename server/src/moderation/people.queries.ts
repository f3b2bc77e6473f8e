import type { UserId } from '@hither/contract/ids.ts'
import type { AdminUser } from '@hither/contract/moderation.ts'
import { emailKeyOf, usernameKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Db } from '../platform/db/database.ts'
import type { PendingQuery } from '../platform/db/sql.ts'

interface PeoplePage {
  /** A prefix of the name or the whole email address, ignoring case. */
  q: string
  only: 'admins' | 'suspended' | null
  after: string | null
  limit: number
  now: Date
}

/** Lists users by name. Returned before it runs, so that a test can ask the database for its plan. */
export function listPeople(db: Db, { q, only, after, limit, now }: PeoplePage) {
  const name = db`u.username_key`
  const from = usernameKeyOf(q)
  return db<AdminUser[]>`
    select u.id, u.username, u.display_name, u.created_at, a.user_id is not null as is_admin, ${suspension(db)} as suspension,
      picture_bytes(u.id)::float8 as picture_bytes,
      (select count(*)::int from reports r where r.user_id = u.id and r.outcome = 'open') as open_reports,
      (
        select c.username from friend_link_uses f join friend_links l on l.id = f.link_id join users c on c.id = l.user_id
        where f.user_id = u.id and f.signed_up limit 1
      ) as invited_by
    from users u
    ${only === 'admins' ? db`` : db`left`} join admins a on a.user_id = u.id
    ${only === 'suspended' ? db`` : db`left`} join suspensions s on s.user_id = u.id
      and (s.suspended_until is null or s.suspended_until > ${now})
    where ${q.includes('@') ? db`u.email_key = ${emailKeyOf(q)}` : db`${name} >= ${from} and ${name} < ${`${from}~`}`}
      ${after === null ? db`` : db`and ${name} > ${usernameKeyOf(after)}`}
    order by ${name} limit ${limit}`
}

/** Finds the account with this email address or username, ignoring case. Returned before it runs, like `listPeople`. */
export function findIdByLogin(db: Db, login: string) {
  return db<{ id: UserId }[]>`
    select id from users where email_key = ${emailKeyOf(login)} or username_key = ${usernameKeyOf(login)}
    order by email_key = ${emailKeyOf(login)} desc limit 1`
}

// `~`, the upper bound of the prefix search, sorts after every character of a name. Times inside JSON need an explicit
// format.
function suspension(db: Db) {
  const iso = (column: PendingQuery) => db`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return db`case when s.user_id is not null then json_build_object(
    'reason', s.reason, 'suspended_at', ${iso(db`s.suspended_at`)}, 'suspended_until', ${iso(db`s.suspended_until`)}) end`
}
