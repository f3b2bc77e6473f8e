import type { AdminActionId, ReportId, UserId } from '@hither/contract/ids.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import type { Db, Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { listActions } from './actions.queries.ts'
import { findIdByLogin, listPeople } from './people.queries.ts'
import { listReports } from './reports/reports.queries.ts'

const people = Array.from({ length: 4000 }, () => newId<UserId>())
const now = new Date()
let db: Pool

beforeAll(async () => {
  const opened = await openTestPool()
  db = opened.db
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, n || '@example.org', n || '@example.org', 'user' || n, 'user' || n, now(), now()
    from unnest(${people}::text[]) with ordinality as p (id, n)`
  // Each user has reported the next one, and one report in forty is still open.
  const reports = people.map((reporter, n) => ({
    id: newId<ReportId>(),
    reporter,
    about: people[(n + 1) % people.length],
  }))
  await db`
    insert into reports (
      id, reporter_id, subject, subject_id, reason, created_at, user_id, username, outcome, handled_at, erase_at)
    select r.id::uuid, r.reporter::uuid, 'user', r.about::uuid, 'spam', now(), r.about::uuid, 'user',
      case when n % 40 = 0 then 'open' else 'dismissed' end, case when n % 40 = 0 then null else now() end, now()
    from unnest(${reports.map(({ id }) => id)}::text[], ${reports.map(({ reporter }) => reporter)}::text[],
      ${reports.map(({ about }) => about ?? '')}::text[]) with ordinality as r (id, reporter, about, n)`
  await db`
    insert into admin_actions (id, admin_id, action, user_id, acted_at)
    select a.id::uuid, ${people[0] ?? ''}, 'lift', a.about::uuid, now()
    from unnest(${people.map(() => newId<AdminActionId>())}::text[], ${people}::text[]) as a (id, about)`
  // Each user has signed up with the friend link of the next one.
  await db`
    insert into friend_links (
      id, user_id, kind, code_hash, requires_approval, uses_max, uses_left, note, created_at, expires_at)
    select id::uuid, id::uuid, 'link', sha256(id::bytea), false, 1, 0, '', now(), now() from unnest(${people}::text[]) as id`
  await db`
    insert into friend_link_uses (id, link_id, user_id, used_at, signed_up)
    select user_id::uuid, user_id::uuid, user_id::uuid, now(), true from unnest(${people}::text[]) as user_id`
  await db`analyze`
  return opened.close
})

const before = people[2000] as unknown as ReportId & AdminActionId
const page = { after: null, limit: 30, only: null, now }

const lists = {
  'open reports': (db: Db) => listReports(db, { state: 'open', before: null, limit: 30, now }),
  'handled reports': (db: Db) => listReports(db, { state: 'handled', before, limit: 30, now }),
  'everybody by name': (db: Db) => listPeople(db, { ...page, q: '', after: 'user2' }),
  'those of a name': (db: Db) => listPeople(db, { ...page, q: 'User17' }),
  'users with an address': (db: Db) => listPeople(db, { ...page, q: '17@Example.org' }),
  'the account with an email or username': (db: Db) => findIdByLogin(db, 'User17'),
  'what admins did': (db: Db) => listActions(db, { before, limit: 30 }),
}

/** The tables that a plan reads with a sequential scan. */
function scansIn(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return []
  const node = plan as Record<string, unknown>
  const own = node['Node Type'] === 'Seq Scan' ? [String(node['Relation Name'])] : []
  return [...own, ...Object.values(node).flatMap(scansIn)]
}

describe.each(Object.entries(lists))('the page of %s', (_name, list) => {
  it('is planned without sequential scans, except of tables that are always small', async () => {
    const [row] = await db<{ 'QUERY PLAN': object[] }[]>`explain (format json) ${list(db)}`
    const scans = scansIn(row?.['QUERY PLAN']).filter((table) => !['admins', 'suspensions'].includes(table))
    expect(scans).toEqual([])
  })
})

it('a page begins after the end of the previous one', async () => {
  const first = await listPeople(db, { ...page, q: '' })
  const second = await listPeople(db, { ...page, q: '', after: first.at(-1)?.username ?? null })
  const names = [...first, ...second].map(({ username }) => username)
  expect(names).toEqual([...names].sort())
  expect(new Set(names).size).toBe(60)
})
