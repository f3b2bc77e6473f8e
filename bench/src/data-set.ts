import { hashPassword } from '../../server/src/auth/password-hashing/passwords.ts'
import type { Db, Pool } from '../../server/src/platform/db/database.ts'
import { allowLongWork } from '../../server/src/platform/db/open-database.ts'

/** The password of every user. */
export const password = 'correct horse battery'
export const emailOf = (n: number) => `person${n}@example.org`

/** Row counts at scale 1. */
const size = { people: 10_000, conversations: 5000, livePings: 20_000, expiredPings: 40_000 }

/** The number of most active users. They have half of all memberships, and the users of the measurement are among them. */
const hotPeople = 1000

/**
 * Loads the common data set. Each user has 50 friends, sees about 20 live pings and as many expired ones, and the first
 * thousand users have about 15 conversations each. `scale` changes the number of users, not the data per user. The rows are
 * deterministic except for their times, which end now.
 */
export async function loadDataSet(pool: Pool, scale: number): Promise<void> {
  const passwordHash = await hashPassword(password)
  await pool.begin(async (db) => {
    await allowLongWork(db)
    // Foreign keys are checked once at the end and not for each row.
    await db`set local session_replication_role = replica`
    await db.unsafe(functions)
    await loadPeople(db, size.people * scale, passwordHash)
    await loadFriendships(db)
    await loadPings(db, size.livePings * scale, size.expiredPings * scale)
    await loadConversations(db, size.conversations * scale, hotPeople * scale)
    await assertReferences(db)
  })
  // The statements run one by one, because each has its own time limit.
  const tables = await pool<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
  for (const { name } of tables) await pool.unsafe(`vacuum analyze ${name}`)
}

const functions = `
  -- An id of the form that the product makes: in the order of time.
  create function pg_temp.id_at(at timestamptz, kind text, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(kind || n), 1, 3)
      || '8' || substr(md5(kind || n), 4, 15))::uuid
  $$;
  -- One of so many, always the same one of the same.
  create function pg_temp.pick(n bigint, salt int, many int) returns int language sql immutable as $$
    select ((hashint8extended(n, salt) & 9223372036854775807) % many)::int
  $$;`

async function loadPeople(db: Db, count: number, passwordHash: string): Promise<void> {
  await db.unsafe(`
    create temp table person on commit drop as
      select n, pg_temp.id_at(at, 'person', n) as id, at
      from generate_series(0, ${count} - 1) n,
        lateral (select date_trunc('second', now()) - interval '400 days' + n * (interval '300 days' / ${count}) as at);
    create unique index on person (n);
    analyze person;
    -- A person's 50 friends: so many steps around a circle, either way.
    create function pg_temp.friend_of(n int, slot int) returns int language sql immutable as $$
      select (n + ${count} + (case when slot < 25 then slot + 1 else 24 - slot end) * ${Math.floor(count / 52)}) % ${count}
    $$`)
  await db`
    insert into users (
      id, email, email_key, username, username_key, password_hash, email_confirmed_at, created_at, updated_at)
    select id, 'person' || n || '@example.org', 'person' || n || '@example.org', 'person_' || n, 'person_' || n,
      ${passwordHash}, at, at, at
    from person order by n`
}

async function loadFriendships(db: Db): Promise<void> {
  await db.unsafe(`
    insert into friendships (id, requester_id, requested_id, created_at)
    select pg_temp.id_at(f.at, 'friendship', f.n * 25 + slot), case when turned then b.id else a.id end,
      case when turned then a.id else b.id end, f.at
    from (
      select n, slot, pg_temp.pick(n * 25 + slot, 2, 2) = 0 as turned,
        date_trunc('second', now()) - pg_temp.pick(n * 25 + slot, 1, 8000000) * interval '1 second' as at
      from person, generate_series(0, 24) slot
    ) f
    join person a on a.n = f.n
    join person b on b.n = pg_temp.friend_of(f.n, slot)
    order by f.at`)
}

async function loadPings(db: Db, live: number, expired: number): Promise<void> {
  await db.unsafe(`
    create temp table ping on commit drop as
      select n, pg_temp.id_at(at, 'ping', n) as id, n % (select count(*) from person) as owner, n >= ${expired} as is_live,
        at, case when n >= ${expired} then now() + interval '200 minutes' else at + interval '2 hours' end as expires_at
      from generate_series(0, ${expired + live} - 1) n, lateral (select case
        when n >= ${expired} then now() - interval '1 minute' - (${expired + live} - n) * (interval '30 minutes' / ${live})
        else now() - interval '4 hours' - (${expired} - n) * (interval '25 days' / ${expired}) end as at);
    analyze ping;
    insert into location_pins (id, user_id, name, message, address, latitude, longitude, area_latitude, area_longitude,
      is_public, responses_visible, created_at, updated_at, expires_at, announced_status)
    select p.id, o.id, 'Coffee number ' || p.n, case when p.n % 2 = 0 then 'Come along, there is a table for all of us.' end,
      case when p.n % 3 = 0 then p.n % 200 || ' Harbour Street' end, place.latitude,
      place.longitude, place.latitude, place.longitude, p.n % 10 = 0, p.n % 4 > 0, p.at, p.at, p.expires_at,
      case when p.is_live then 'active' else 'expired' end
    from ping p join person o on o.n = p.owner cross join lateral (
      select -60 + pg_temp.pick(p.n, 3, 120000) / 1000.0 as latitude,
        -180 + pg_temp.pick(p.n, 4, 360000) / 1000.0 as longitude) place
    order by p.n;
    create temp table guest on commit drop as
      select p.n as ping, r, g.id from ping p cross join generate_series(0, 9) r
      join person g on g.n = pg_temp.friend_of(p.owner::int, pg_temp.pick(p.n, 5, 5) + r * 5);
    analyze guest;
    insert into ping_recipients (id, ping_id, recipient_id, expires_at, has_seen)
    select pg_temp.id_at(p.at, 'recipient', p.n * 10 + g.r), p.id, g.id, p.expires_at, g.r % 2 = 0
    from guest g join ping p on p.n = g.ping order by p.n, g.r;
    insert into ping_responses (ping_id, user_id, response_type, created_at, updated_at)
    select p.id, g.id, case when g.r = 0 then 'accepted' else 'tentative' end, p.at, p.at
    from guest g join ping p on p.n = g.ping where g.r in (0, 4) order by p.n, g.r`)
}

/** The lengths are skewed, so that few conversations contain most messages: the longest 3,015 of 219,000, the shortest 17. */
async function loadConversations(db: Db, count: number, hot: number): Promise<void> {
  await db.unsafe(`
    create temp table chat on commit drop as
      select n, pg_temp.id_at(at, 'chat', n) as id, at, 2 + n % 9 as members,
        floor(3015 / power(1 + (n::bigint * 7919) % ${size.conversations}, 0.6))::int as length
      from generate_series(0, ${count} - 1) n,
        lateral (select date_trunc('second', now()) - interval '90 days' + n * (interval '30 days' / ${count}) as at);
    create temp table member on commit drop as
      select c.n as chat, place, p.n as person, p.id
      from chat c cross join lateral generate_series(0, c.members - 1) place
      join person p on p.n = case
        -- Two who talk alone are friends.
        when c.members = 2 and place = 0 then c.n / 9 % ${hot}
        when c.members = 2 then pg_temp.friend_of(c.n / 9 % ${hot}, 0)
        when (c.n + place) % 2 = 0 then (pg_temp.pick(c.n, 6, ${hot}) + place * 97) % ${hot}
        else ${hot} + (pg_temp.pick(c.n, 7, (select count(*)::int from person) - ${hot}) + place * 719)
          % ((select count(*)::int from person) - ${hot})
      end;
    create temp table line on commit drop as
      select c.n as chat, seq, m.id as sender,
        c.at + (now() - interval '1 minute' - c.at) * (seq::float / c.length) as at
      from chat c cross join lateral generate_series(1, c.length) seq
      join member m on m.chat = c.n and m.place = pg_temp.pick(c.n * 10000::bigint + seq, 8, c.members);
    create index on line (chat, seq);
    analyze chat, member, line;
    insert into chats (id, type, name, pair_low_id, pair_high_id, last_seq, created_at, updated_at)
    select c.id, case when c.members = 2 then 'direct' else 'group' end,
      case when c.members > 2 then 'Group number ' || c.n end,
      case when c.members = 2 then least(a.id, b.id) end, case when c.members = 2 then greatest(a.id, b.id) end,
      c.length, c.at, now() - interval '1 minute'
    from chat c join member a on a.chat = c.n and a.place = 0 join member b on b.chat = c.n and b.place = 1 order by c.n;
    insert into messages (id, chat_id, seq, sender_id, client_id, content, created_at, search)
    select pg_temp.id_at(l.at, 'message', l.chat * 10000::bigint + seq), c.id, seq, l.sender,
      md5(l.chat || '/' || seq)::uuid, t.content, l.at,
      words_in_chat(c.id, array(select word[1] from regexp_matches(lower(t.content), '[a-z]+', 'g') word))
    from line l join chat c on c.n = l.chat cross join lateral (
      select left('On my way, but do not wait for me with the coffee. ' ||
        'I will bring cake, and somebody else who has not been here before.', 8 + pg_temp.pick(seq, 9, 100)) as content) t
    order by l.at;
    -- Of every third conversation the last one to five messages are unread, but for own ones.
    insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, unread_skipped, read_at)
    select c.id, m.id, case when m.place = 0 and c.members > 2 then 'admin' else 'member' end, c.at, c.length - unread,
      (select count(*) from line l where l.chat = c.n and l.seq > c.length - unread and l.sender = m.id), now()
    from member m join chat c on c.n = m.chat cross join lateral (
      select case when (c.n + m.place) % 3 = 0 then 1 + pg_temp.pick(c.n, 10, 5) else 0 end as unread) u
    order by c.n, m.place`)
}

/** Throws if a foreign key refers to a missing row. */
async function assertReferences(db: Db): Promise<void> {
  const references = await db<{ child: string; parent: string; same: string; named: string }[]>`
    select k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent,
      string_agg(format('p.%I = c.%I', pa.attname, ca.attname), ' and ') as same,
      string_agg(format('c.%I is not null', ca.attname), ' and ') as named
    from pg_constraint k
    cross join lateral unnest(k.conkey, k.confkey) as pair (child, parent)
    join pg_attribute ca on ca.attrelid = k.conrelid and ca.attnum = pair.child
    join pg_attribute pa on pa.attrelid = k.confrelid and pa.attnum = pair.parent
    where k.contype = 'f' group by k.oid, k.conrelid, k.confrelid`
  for (const { child, parent, same, named } of references) {
    const [row] = await db.unsafe<{ count: number }[]>(`
      select count(*)::int as count from ${child} c where ${named} and not exists (select 1 from ${parent} p where ${same})`)
    if (row?.count !== 0) throw new Error(`${row?.count} rows of ${child} refer to missing rows of ${parent}`)
  }
}
