import type { FriendLink, FriendLinkKind, FriendLinksExport } from '@hither/contract/friend-links.ts'
import type { FriendLinkId, FriendRequestId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { isoTime, type Piece, sql, statement } from '../platform/db/statements.ts'
import { areBlocked, isBetween } from '../relations/relations.visibility.ts'

/** A link that its reader can use, with the relation of the reader to its creator. */
export interface UsableLink {
  readonly id: FriendLinkId
  readonly kind: FriendLinkKind
  readonly requires_approval: boolean
  readonly admits_signup: boolean
  readonly expires_at: string
  /** The creator. */
  readonly user_id: UserId
  readonly username: string
  readonly has_image: boolean
  readonly is_used: boolean
  readonly are_friends: boolean
  /** A pending request between the reader and the creator, and who sent it. */
  readonly request_id: FriendRequestId | null
  readonly requester_id: UserId | null
}

// Needs a link `l` and the registration `g`. Each member may create a limited number of accounts in 30 days.
const admitsSignup = sql`(l.uses_left > 0 and case g.mode
  when 'open' then true
  when 'closed' then false
  else g.member_invites > (
    select count(*) from friend_links o join friend_link_uses s on s.link_id = o.id
    where o.user_id = l.user_id and s.signed_up and s.used_at > ${'now'}::timestamptz - interval '30 days')
  end)`

const creator = sql`l.user_id`
const viewer = sql`${'viewerId'}::uuid`

// `least` and `greatest` ignore the null of a visitor: nobody is a friend of themselves. `validAt` is the time at which the
// link must not have expired.
const usable = (which: Piece<string>, lock: Piece<never>) => statement`
  select l.id, l.kind, l.requires_approval, ${admitsSignup} as admits_signup, l.expires_at, l.user_id, u.username,
    u.has_image, used.id is not null as is_used, f.id is not null as are_friends, r.id as request_id,
    r.from_user_id as requester_id
  from friend_links l
  join users u on u.id = l.user_id
  cross join registration g
  left join friend_link_uses used on used.link_id = l.id and used.user_id = ${'viewerId'}::uuid
  left join friendships f on ${isBetween(sql`f.requester_id`, sql`f.requested_id`, creator, viewer)}
  left join friend_requests r on ${isBetween(sql`r.from_user_id`, sql`r.to_user_id`, creator, viewer)}
  where ${which} and l.revoked_at is null and l.expires_at > ${'validAt'}::timestamptz
    and case when used.id is null then l.uses_left > 0
      else f.id is not null or (r.id is not null and (l.requires_approval or r.from_user_id = l.user_id)) end
    and not exists (
      select 1 from suspensions s
      where s.user_id = l.user_id and (s.suspended_until is null or s.suspended_until > ${'now'}::timestamptz))
    and not ${areBlocked(creator, viewer)}
  ${lock}`

const usableByCode = usable(sql`l.code_hash = ${'codeHash'}`, sql``)
const usableById = usable(sql`l.id = ${'linkId'}::uuid`, sql`for no key update of l`)

interface Reader {
  /** `null` for a visitor. */
  readonly viewerId: UserId | null
  readonly now: Date
}

/** Finds a link that this reader can use by the hash of its code. Every other link is not found, whatever the reason. */
export async function findUsable(
  db: Db,
  { codeHash, viewerId, now }: Reader & { codeHash: Buffer },
): Promise<UsableLink | undefined> {
  const [link] = await usableByCode<UsableLink>(db, { codeHash, viewerId, now, validAt: now })
  return link
}

/**
 * Like `findUsable`, by the id. Locks the link, so that it is not revoked before the transaction ends. The link must not
 * have expired at `validAt`. Its creator is locked before it.
 */
export async function findUsableById(
  tx: Tx,
  { linkId, viewerId, now, validAt }: Reader & { linkId: FriendLinkId; validAt: Date },
): Promise<UsableLink | undefined> {
  const [link] = await usableById<UsableLink>(tx, { linkId, viewerId, now, validAt })
  return link
}

interface LinkUse {
  readonly linkId: FriendLinkId
  readonly userId: UserId
  /** Whether the user signed up with the link. */
  readonly signedUp: boolean
  readonly now: Date
  /** The time at which the link must not have expired. */
  readonly validAt: Date
}

/**
 * Takes one use of a link. Concurrent calls never take the same use. Returns whether there was one, on a link that is not
 * revoked.
 */
export async function takeUse(tx: Tx, { linkId, userId, signedUp, now, validAt }: LinkUse): Promise<boolean> {
  const { count } = await tx`
    with taken as (
      update friend_links set uses_left = uses_left - 1
      where id = ${linkId} and uses_left > 0 and revoked_at is null and expires_at > ${validAt}
      returning id
    )
    insert into friend_link_uses (id, link_id, user_id, used_at, signed_up)
    select ${newId<string>()}::uuid, id, ${userId}::uuid, ${now}::timestamptz, ${signedUp} from taken`
  return count > 0
}

// People who are blocked in either direction are left out, and those who have deleted their account.
const linkFields = sql`l.id, l.kind, l.note, l.requires_approval, ${admitsSignup} as admits_signup, l.uses_max, l.uses_left,
  l.created_at, l.expires_at`
const usedBy = sql`(
  select coalesce(json_agg(json_build_object(
    'user_id', u.id, 'username', u.username, 'used_at', ${isoTime(sql`s.used_at`)}) order by s.used_at, s.id), '[]')
  from friend_link_uses s join users u on u.id = s.user_id
  where s.link_id = l.id and not ${areBlocked(sql`l.user_id`, sql`u.id`)})`

const activeLinks = statement`
  select ${linkFields}, ${usedBy} as used_by
  from friend_links l cross join registration g
  where l.user_id = ${'userId'} and l.revoked_at is null and l.expires_at > ${'now'}::timestamptz
  order by l.created_at desc, l.id desc`

/** Lists the links that are neither expired nor revoked, newest first. Returned before it runs, for its plan. */
export function listLinks(db: Db, userId: UserId, now: Date) {
  return activeLinks<FriendLink>(db, { userId, now })
}

interface LinkToInsert {
  readonly id: FriendLinkId
  readonly userId: UserId
  readonly kind: FriendLinkKind
  readonly codeHash: Buffer
  readonly requiresApproval: boolean
  readonly uses: number
  readonly note: string
  readonly now: Date
  readonly expiresAt: Date
}

// A link of kind `link` is inserted only while fewer than `activeMax` are active. A QR code is always inserted and revokes
// the oldest unexpired ones, used up or not, so that `activeMax` remain. The creator is locked.
const inserted = statement`
  with active as (
    select id, row_number() over (order by created_at desc, id desc) as place from friend_links
    where user_id = ${'userId'}::uuid and kind = ${'kind'} and revoked_at is null
      and (uses_left > 0 or kind = 'qr') and expires_at > ${'now'}::timestamptz
  ), revoked as (
    update friend_links set revoked_at = ${'now'}::timestamptz
    where ${'kind'} = 'qr' and id in (select id from active where place >= ${'activeMax'}::int)
  ), l as (
    insert into friend_links (
      id, user_id, kind, code_hash, requires_approval, uses_max, uses_left, note, created_at, expires_at)
    select ${'id'}::uuid, ${'userId'}::uuid, ${'kind'}, ${'codeHash'}::bytea, ${'requiresApproval'}::boolean,
      ${'uses'}::int, ${'uses'}::int, ${'note'}, ${'now'}::timestamptz, ${'expiresAt'}::timestamptz
    where ${'kind'} = 'qr' or (select count(*) from active) < ${'activeMax'}::int
    returning *
  )
  select ${linkFields}, '[]'::json as used_by from l cross join registration g`

/** Inserts a link. Returns undefined if the user already has `activeMax` links of kind `link`. */
export async function insertLink(tx: Tx, link: LinkToInsert, activeMax: number): Promise<FriendLink | undefined> {
  const [row] = await inserted<FriendLink>(tx, { ...link, activeMax })
  return row
}

/** Revokes a link of this user. Returns whether the user has such a link, revoked or not. */
export async function revokeLink(tx: Tx, userId: UserId, linkId: FriendLinkId, now: Date): Promise<boolean> {
  const { count } = await tx`
    update friend_links set revoked_at = coalesce(revoked_at, ${now}) where id = ${linkId} and user_id = ${userId}`
  return count > 0
}

/** Deletes at most `limit` links that expired or were revoked before `before`, with their uses. Returns how many. */
export async function deleteEndedLinks(tx: Tx, before: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from friend_links where id in (
      select id from friend_links where expires_at < ${before} or revoked_at < ${before} limit ${limit})`
  return count
}

/** Deletes the links of a user, and removes the user from the uses of others' links. */
export async function deleteLinksOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from friend_links where user_id = ${userId}`
  await tx`update friend_link_uses set user_id = null where user_id = ${userId}`
}

/** Revokes every link of the service. */
export async function revokeAllLinks(tx: Tx, now: Date): Promise<void> {
  await tx`update friend_links set revoked_at = ${now} where revoked_at is null`
}

const allLinks = statement`
  select l.kind, l.note, l.requires_approval, l.uses_max, l.uses_left, l.created_at, l.expires_at, l.revoked_at,
    ${usedBy} as used_by
  from friend_links l where l.user_id = ${'userId'} order by l.created_at, l.id`

/** Lists the links of a user, also those that have ended. */
export function listAllLinks(db: Db, userId: UserId) {
  return allLinks<FriendLinksExport['friend_links'][number]>(db, { userId })
}

const usedLinks = statement`
  select u.username as creator_username, s.used_at
  from friend_link_uses s join friend_links l on l.id = s.link_id join users u on u.id = l.user_id
  where s.user_id = ${'userId'}::uuid and not ${areBlocked(sql`u.id`, sql`${'userId'}::uuid`)}
  order by s.used_at, s.id`

/** Lists the links that a user has used, of creators who are not blocked. */
export function listUsedLinks(db: Db, userId: UserId) {
  return usedLinks<FriendLinksExport['friend_links_used'][number]>(db, { userId })
}
