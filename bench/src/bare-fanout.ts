import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * The baseline for the live channel: a server that accepts a request and writes one frame of the same size to every socket,
 * without users, rules or a database.
 */
const sockets = new Set<WebSocket>()
const frame = Buffer.alloc(Number(process.env['FRAME_BYTES']), 'x')

const http = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    for (const socket of sockets) socket.send(frame, { binary: false })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
const server = new WebSocketServer({ server: http, perMessageDeflate: false })
server.on('connection', (socket) => {
  sockets.add(socket)
  socket.on('message', () => socket.send('{"joined":true}'))
  socket.on('close', () => sockets.delete(socket))
})
http.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'))
