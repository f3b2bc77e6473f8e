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

const pingFields = `p.id, p.user_id, o.username, o.display_name, o.has_image as user_has_image, p.name, p.message, p.address,
  p.latitude, p.longitude, p.is_public, p.responses_visible, p.has_image, p.activates_at, p.expires_at, p.created_at,
  p.updated_at, case when p.user_id = ? then (
    select json_agg(json_build_object('user_id', u.id, 'username', u.username, 'display_name', u.display_name,
      'has_image', u.has_image, 'has_seen', r.has_seen) order by u.username)
    from ping_recipients r join users u on u.id = r.recipient_id where r.ping_id = p.id) end as recipients, (
    select json_agg(json_build_object('user_id', u.id, 'username', u.username, 'display_name', u.display_name,
      'has_image', u.has_image, 'response_type', a.response_type, 'updated_at', a.updated_at) order by a.created_at)
    from ping_responses a join users u on u.id = a.user_id where a.ping_id = p.id) as responses`

app.get('/R2', async (request, response) => {
  const viewer = viewerOf(request)
  const now = new Date()
  const invitations = db('ping_recipients')
    .where('recipient_id', viewer)
    .where('expires_at', '>', now)
    .select('ping_id')
  const rows = await db('location_pins as p')
    .join('users as o', 'o.id', 'p.user_id')
    .where('p.expires_at', '>', now)
    .where((mine) => void mine.where('p.user_id', viewer).orWhereIn('p.id', invitations))
    .orderBy('p.created_at', 'desc')
    .select(db.raw(pingFields, [viewer]))
  response.json(rows)
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
  await storeEvent(tx, { message, audience: members.map((member) => member.user_id) })
  return message
}

app.post('/R6', async (request, response) => {
  const { viewer, recipient_ids } = request.body as { viewer: string; recipient_ids: string[] }
  response.status(201).json(await db.transaction((tx) => createPing(tx, viewer, recipient_ids)))
})

async function createPing(tx: Knex.Transaction, user_id: string, recipient_ids: readonly string[]): Promise<unknown> {
  const now = new Date()
  const expires_at = new Date(now.getTime() + 3_600_000)
  const [created] = await tx('location_pins')
    .insert({
      id: tx.raw('gen_random_uuid()'),
      user_id,
      name: 'Coffee',
      latitude: 40.7,
      longitude: -73.9,
      is_public: false,
      responses_visible: true,
      created_at: now,
      updated_at: now,
      expires_at,
      announced_status: 'active',
    })
    .returning('*')
  await tx('ping_recipients').insert(
    recipient_ids.map((recipient_id) => ({
      id: tx.raw('gen_random_uuid()'),
      ping_id: created.id,
      recipient_id,
      expires_at,
    })),
  )
  await storeEvent(tx, { ping: created, audience: [user_id, ...recipient_ids] })
  const ofPing = tx('location_pins as p').join('users as o', 'o.id', 'p.user_id').where('p.id', created.id)
  return (await ofPing.select(tx.raw(pingFields, [user_id])))[0]
}

app.post('/R7', async (request, response) => {
  const { viewer, ping_id, response_type, owner } = request.body as Record<string, string>
  const now = new Date()
  const answer = await db.transaction(async (tx) => {
    const invitation = await tx('ping_recipients').where({ ping_id, recipient_id: viewer }).first('id')
    if (!invitation) return null
    const [saved] = await tx('ping_responses')
      .insert({ ping_id, user_id: viewer, response_type, created_at: now, updated_at: now })
      .onConflict(['ping_id', 'user_id'])
      .merge(['response_type', 'updated_at'])
      .returning('*')
    await storeEvent(tx, { response: saved, audience: [viewer, owner] })
    return saved
  })
  if (!answer) return void response.status(404).json({ detail: 'Pin not found or has expired' })
  response.json(answer)
})

async function storeEvent(tx: Knex.Transaction, event: object): Promise<void> {
  const body = JSON.stringify(event)
  await tx.raw(`insert into outbox (id, xid, body) values (nextval('outbox_ids'), pg_current_xact_id(), ?)`, [body])
}

function viewerOf(request: express.Request): string {
  return String(request.query['viewer'])
}

const server = app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'))
// As in Fastify. Otherwise the server closes a connection while the other side is measured and its client sends on it.
server.keepAliveTimeout = 72_000
process.on('SIGTERM', () => process.exit(0))
