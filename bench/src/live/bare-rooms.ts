import { createServer } from 'node:http'
import postgres from 'postgres'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * The baseline for rooms: a frame from a socket is sent to all other sockets of its room, and a posted message is stored with
 * one statement and sent to all. There are no users, rules or protocol. The first frame of a socket is the name of its room.
 */
const rooms = new Map<string, Set<WebSocket>>()
const frame = Buffer.alloc(Number(process.env['FRAME_BYTES']), 'x')
const sql = postgres(process.env['DATABASE_URL'] ?? '', { max: 8, onnotice: () => undefined })
await sql`create table if not exists bare_messages (id bigserial primary key, room text not null, content text not null)`

const http = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { room, content } = JSON.parse(body) as { room: string; content: string }
  await sql`insert into bare_messages (room, content) values (${room}, ${content})`
  for (const socket of rooms.get(room) ?? []) socket.send(frame, { binary: false })
  response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
})
const server = new WebSocketServer({ server: http, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.once('message', (name) => {
    const room = rooms.get(String(name)) ?? new Set()
    rooms.set(String(name), room.add(socket))
    socket.send('{"joined":true}')
    socket.on('close', () => room.delete(socket))
    socket.on('message', () => {
      for (const other of room) if (other !== socket) other.send(frame, { binary: true })
    })
  })
})
http.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'))
