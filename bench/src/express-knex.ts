import express from 'express'
import knex, { type Knex } from 'knex'
import pg from 'pg'

/**
 * The second baseline for HTTP: handlers as a careful developer writes them with Express and Knex, with the settings that
 * their documentation recommends. Each has the same result as the product's, without authentication, validation, rate
 * limits, security headers and compression. A write also stores its event, without delivering it.
 */
const db = knex({
  client: 'pg',
  connection: { connectionString: process.env['DATABASE_URL'] ?? '', options: '-c TimeZone=UTC' },
  pool: { min: 8, max: 8 },
})
// Timestamps in the form of the API, without a Date in between.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => `${text.slice(0, 19).replace(' ', 'T')}.000Z`)

const app = express()
app.set('env', 'production')
app.use(express.json())

const isoTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const messageFields = `m.id, m.chat_id as conversation_id, m.chat_id, m.seq, m.sender_id,
  coalesce(u.username, 'Deleted user') as sender_username, u.display_name as sender_display_name, m.content,
  ${isoTime('m.created_at')} as created_at, m.client_id, m.seq <= me.last_read_seq as read`

const participants = `(
  select json_agg(json_build_object('user_id', p.user_id, 'username', pu.username, 'display_name', pu.display_name,
    'has_image', pu.has_image, 'role', p.role, 'last_read_seq', p.last_read_seq) order by p.joined_at, p.user_id)
  from chat_members p join users pu on pu.id = p.user_id where p.chat_id = c.id) as participants`

const conversationFields = `c.id, c.name, c.type, c.ping_id, c.system_created, c.created_at, c.updated_at,
  c.last_seq - me.last_read_seq - me.unread_skipped as unread_count, row_to_json(last) as last_message,
  case when d.id is not null then json_build_object('user_id', d.id, 'username', d.username,
    'display_name', d.display_name, 'has_image', d.has_image) end as direct_participant, ${participants}`

/** The conversations of a user, with the last message and the other member of each. */
const conversationsOf = (userId: string) =>
  db('chat_members as me')
    .join('chats as c', 'c.id', 'me.chat_id')
    .joinRaw(`left join users d
      on d.id = case when c.pair_low_id = me.user_id then c.pair_high_id else c.pair_low_id end`)
    .joinRaw(`left join lateral (
      select ${messageFields} from messages m left join users u on u.id = m.sender_id
      where m.chat_id = c.id and m.deleted_at is null order by m.seq desc limit 1) last on true`)
    .where('me.user_id', userId)
    .select(db.raw(conversationFields))

const friendOf = `case when f.requester_id = ? then f.requested_id else f.requester_id end`

app.get('/R1', async (request, response) => {
  const viewer = viewerOf(request)
  const rows = await db('friendships as f')
    .joinRaw(`join users u on u.id = ${friendOf}`, [viewer])
    .where('f.requester_id', viewer)
    .orWhere('f.requested_id', viewer)
    .orderBy('u.username')
    .select('f.id', 'u.id as user_id', 'u.username', 'u.display_name', 'u.has_image', 'f.created_at')
  response.json(rows.map((row) => ({ ...row, is_online: false })))
})

app.get('/R3', async (request, response) => {
  response.json(await conversationsOf(viewerOf(request)).orderBy('c.updated_at', 'desc'))
})

app.get('/R4', async (request, response) => {
  const viewer = viewerOf(request)
  const id = String(request.query['id'])
  const [conversation] = await conversationsOf(viewer).where('c.id', id)
  const messages = await db('messages as m')
    .join('chat_members as me', 'me.chat_id', 'm.chat_id')
    .leftJoin('users as u', 'u.id', 'm.sender_id')
    .where({ 'm.chat_id': id, 'me.user_id': viewer })
    .whereNull('m.deleted_at')
    .orderBy('m.seq', 'desc')
    .limit(21)
    .select(db.raw(messageFields))
  const message_details = {
    messages: messages.slice(0, 20).reverse(),
    limit: 20,
    offset: 0,
    has_more: messages.length > 20,
  }
  response.json({ ...conversation, message_details })
})

app.post('/R5', async (request, response) => {
  const { viewer, conversation_id, content, client_id } = request.body as Record<string, string>
  const message = await db.transaction((tx) => send(tx, { viewer, conversation_id, content, client_id }))
  if (!message) return void response.status(404).json({ detail: 'Conversation not found' })
  response.status(201).json({ message })
})

type Sending = Readonly<Record<'viewer' | 'conversation_id' | 'content' | 'client_id', string | undefined>>

/** Statements of one transaction wait for each other, because Knex sends one at a time. */
async function send(tx: Knex.Transaction, { viewer, conversation_id, content, client_id }: Sending) {
  const chat = await tx('chats').where('id', conversation_id).forNoKeyUpdate().first('id', 'last_seq')
  const members = await tx('chat_members').where('chat_id', conversation_id).select('user_id', 'role', 'last_read_seq')
  if (!chat || !members.some((member) => member.user_id === viewer)) return null
  const seq = chat.last_seq + 1
  const created_at = new Date().toISOString()
  const [message] = await tx('messages')
    .insert({
      id: tx.raw('gen_random_uuid()'),
      chat_id: conversation_id,
      seq,
      sender_id: viewer,
      client_id,
      content,
      created_at,
    })
    .returning(['id', 'chat_id', 'seq', 'sender_id', 'content', 'created_at', 'client_id'])
  await tx('chats').where('id', conversation_id).update({ last_seq: seq, updated_at: created_at })
  await tx('chat_members').where({ chat_id: conversation_id, user_id: viewer }).update({ last_read_seq: seq })
  const body = JSON.stringify({ message, audience: members.map((member) => member.user_id) })
  await tx.raw(`insert into outbox (id, xid, body) values (nextval('outbox_ids'), pg_current_xact_id(), ?)`, [body])
  return message
}

function viewerOf(request: express.Request): string {
  return String(request.query['viewer'])
}

const server = app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'))
// As in Fastify. Otherwise the server closes a connection while the other side is measured and its client sends on it.
server.keepAliveTimeout = 72_000
process.on('SIGTERM', () => process.exit(0))
