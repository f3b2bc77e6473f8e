import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * The limit that the live channel is measured against: a server that takes a call, and writes one frame of as many bytes to
 * every socket. No people, no rules, no database.
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
