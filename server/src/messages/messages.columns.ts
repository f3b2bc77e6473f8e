import { messageLimits, messageTexts, photoContent, placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { literal, type Piece, plainTime, sql, type TimeForm } from '../platform/db/statements.ts'

// The columns of messages as SQL fragments. They refer to `m`, a message; to `u`, its sender; and to `me`, the viewer's
// membership.

function nameOf(sender: Piece<never>): Piece<never> {
  return sql`coalesce(${sender}.username, ${literal(messageTexts.deletedUser)})`
}

/** The text of a message, or what stands for an attachment without caption. */
export function contentOf(message: Piece<never>): Piece<never> {
  return sql`case
    when ${message}.attachment is null or ${message}.content <> '' then ${message}.content
    when ${message}.attachment = 'photo' then ${literal(photoContent)}
    else coalesce(${literal(placeContent(''))} || ${message}.place_name, ${literal(placeContent(null))}) end`
}

/** The columns of the table that `messageColumns` needs. */
export const storedColumns = sql`id, chat_id, seq, sender_id, content, created_at, client_id, reply_to_id, edited_at,
  attachment, place_name, place_address, latitude, longitude`

/** The kind of a message that is not deleted, and what its content is. */
function kindColumns(message: Piece<never>) {
  return {
    kind: sql`coalesce(${message}.attachment, 'text')`,
    shows: sql`case
      when ${message}.attachment is null then 'text' when ${message}.content <> '' then 'caption'
      when ${message}.place_name is not null then 'name' else 'kind' end`,
  }
}

/** The columns of a `LastMessage`. */
export function lastMessageColumns(timeOf: TimeForm = plainTime): Piece<never> {
  const { kind, shows } = kindColumns(sql`m`)
  return sql`${sharedColumns(timeOf)}, ${kind} as kind, ${shows} as shows`
}

function sharedColumns(timeOf: TimeForm): Piece<never> {
  return sql`
    m.id, m.chat_id as conversation_id, m.chat_id, m.seq, m.sender_id, ${nameOf(sql`u`)} as sender_username,
    u.display_name as sender_display_name, ${contentOf(sql`m`)} as content, ${timeOf(sql`m.created_at`)} as created_at,
    m.client_id,
    case when m.sender_id = me.user_id then coalesce(m.seq <= me.others_read_seq, false)
      else m.seq <= me.last_read_seq end as read`
}

/** The columns of a `Message`. */
export function messageColumns(timeOf: TimeForm = plainTime): Piece<never> {
  return sql`${sharedColumns(timeOf)}, ${timeOf(sql`m.edited_at`)} as edited_at, ${reply} as reply_to,
    ${reactions} as reactions, ${attachment} as attachment`
}

/** The message `q`, with its sender `qu`, as a `Reply`. */
export const replyObject = sql`json_build_object(
  'id', q.id, 'seq', q.seq, 'sender_id', q.sender_id, 'sender_username', ${nameOf(sql`qu`)},
  'kind', case when q.deleted_at is null then ${kindColumns(sql`q`).kind} else 'deleted' end,
  'shows', case when q.deleted_at is null then ${kindColumns(sql`q`).shows} else 'kind' end,
  'excerpt', case when q.deleted_at is null then left(${contentOf(sql`q`)}, ${literal(String(messageLimits.excerptMax))}::int) end)`

// Each of the following is evaluated only for messages that have one.
const reply = sql`case when m.reply_to_id is not null then (
  select ${replyObject} from messages q left join users qu on qu.id = q.sender_id where q.id = m.reply_to_id) end`

const attachment = sql`case m.attachment
  when 'photo' then (
    select json_build_object('type', 'photo', 'caption', m.content, 'width', i.width, 'height', i.height)
    from (select 1) one left join images i on i.message_id = m.id)
  when 'place' then json_build_object('type', 'place', 'caption', m.content, 'name', m.place_name,
    'address', m.place_address, 'latitude', m.latitude, 'longitude', m.longitude) end`

const reactions = sql`(
  select coalesce(json_agg(json_build_object('emoji', g.emoji, 'user_ids', g.user_ids) order by g.first_at, g.first_id), '[]')
  from (
    select r.emoji, json_agg(r.user_id order by r.created_at, r.user_id) as user_ids, min(r.created_at) as first_at,
      (array_agg(r.user_id order by r.created_at, r.user_id))[1] as first_id
    from message_reactions r where r.message_id = m.id group by r.emoji
  ) g)`

/** The columns of a `MessageRow`, without a viewer. */
export const messageRowColumns = sql`
  m.id, m.chat_id as conversation_id, m.sender_id, ${nameOf(sql`u`)} as sender_username,
  u.display_name as sender_display_name, ${contentOf(sql`m`)} as content, m.created_at, m.seq, m.client_id, m.edited_at,
  ${reply} as reply_to, ${attachment} as attachment`
