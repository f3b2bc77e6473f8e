import { type AdminUser } from '@hither/contract/moderation.ts'
import { type Db } from '../platform/database.ts'
import { type PendingQuery } from '../platform/sql.ts'

export interface PeoplePage {
  /** Begins the name, or is the whole e-mail; without regard to case. */
  q: string
  only: 'admins' | 'suspended' | null
  after: string | null
  limit: number
  now: Date
}

/** By name. Returned before it runs, so that a test can ask the database how it would run. */
export function listPeople(db: Db, { q, only, after, limit, now }: PeoplePage) {
  const name = db`lower(u.username) collate "C"`
  const from = q.toLowerCase()
  return db<AdminUser[]>`
    select u.id, u.username, u.created_at, a.user_id is not null as is_admin, ${suspension(db)} as suspension,
      (select count(*)::int from reports r where r.user_id = u.id and r.outcome = 'open') as open_reports
    from users u
    ${only === 'admins' ? db`` : db`left`} join admins a on a.user_id = u.id
    ${only === 'suspended' ? db`` : db`left`} join suspensions s on s.user_id = u.id
      and (s.suspended_until is null or s.suspended_until > ${now})
    where ${q.includes('@') ? db`lower(u.email) = ${from}` : db`${name} >= ${from} and ${name} < ${`${from}~`}`}
      ${after === null ? db`` : db`and ${name} > ${after.toLowerCase()}`}
    order by ${name} limit ${limit}`
}

// `~` comes after everything that a name may hold. Inside of JSON the database writes times in a form of its own.
function suspension(db: Db) {
  const iso = (column: PendingQuery) => db`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return db`case when s.user_id is not null then json_build_object(
    'reason', s.reason, 'suspended_at', ${iso(db`s.suspended_at`)}, 'suspended_until', ${iso(db`s.suspended_until`)}) end`
}
