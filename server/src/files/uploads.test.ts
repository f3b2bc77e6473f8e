import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import multipart from '@fastify/multipart'
import type { PingId } from '@hither/contract/ids.ts'
import { createPing, deletePing } from '@hither/contract/pings.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { halves, noisyJpeg } from '../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../test/storages.ts'
import { createUploads, uploadLimits } from '../platform/http/uploads.ts'

let storage: TestStorage
let server: TestServer
let ann: Person
let picture: Buffer

beforeAll(async () => {
  storage = await openFolder()
  server = await startServer(storage.environment)
  ann = await server.signUp('ann')
  picture = await halves(60, 40).png().toBuffer()
})

afterAll(async () => {
  await server.close()
  await storage.close()
})

const boundary = 'an-edge'
const head = (field: string, filename: string | null = 'me.png') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${field}"${filename === null ? '' : `; filename="${filename}"`}\r\n\r\n`
const tail = `\r\n--${boundary}--\r\n`

interface Sent {
  status: number
  body: unknown
  sentBytes: number
}

/**
 * Sends part by part as fast as the server reads, until all is sent, a response has come, or the connection is closed.
 */
async function send(parts: Iterable<Buffer | string>, headers: Record<string, string | number> = {}): Promise<Sent> {
  const request = httpRequest(`${server.url}/api/files/profile-image`, {
    method: 'POST',
    // A connection of its own: unsent bytes of one request would be read as the next request.
    agent: false,
    headers: {
      authorization: `Bearer ${ann.session.access_token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
  })
  request.on('error', () => undefined)
  request.setMaxListeners(0)
  let sentBytes = 0
  let isAnswered = false
  const answer = once(request, 'response').then(async ([response]) => {
    isAnswered = true
    const text = (await response.toArray()).join('')
    return { status: response.statusCode as number, body: text === '' ? null : JSON.parse(text) }
  })
  for (const part of parts) {
    if (isAnswered || request.destroyed) break
    sentBytes += part.length
    if (!request.write(part)) await Promise.race([once(request, 'drain'), once(request, 'close'), answer])
  }
  if (!isAnswered) request.end()
  const answered = await answer
  if (!request.writableEnded) request.destroy()
  return { ...answered, sentBytes }
}

function post(path: string, headers: Record<string, string | number> = {}) {
  const request = httpRequest(`${server.url}${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${ann.session.access_token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
  })
  request.on('error', () => undefined)
  return request
}

async function dropPing(): Promise<PingId> {
  const body = { name: 'Here', latitude: 1, longitude: 2, is_public: true }
  return (await server.call(createPing, { body }, ann)).body.id
}

const one = (field: string, filename?: string | null) => [head(field, filename), picture]
const fileFault = (msg: string, type: string) => ({ detail: [{ loc: ['body', 'file'], msg, type }] })

describe('an upload', () => {
  it('of one file in its field is accepted, with any other fields in the form', async () => {
    const sent = await send([head('note', null), 'hello\r\n', ...one('file'), '\r\n', head('more', null), 'x', tail])
    expect(sent).toMatchObject({ status: 200, body: { has_image: true } })
  })

  it('in another field, without a file, with a text, or with two files is refused with the reason', async () => {
    expect(await send([...one('picture'), tail])).toMatchObject({
      status: 422,
      body: fileFault('The file must be sent in the field "file"', 'unexpected_file'),
    })
    for (const parts of [
      [head('note', null), 'hello', tail],
      [head('file', null), 'hello', tail],
    ]) {
      expect(await send(parts)).toMatchObject({ status: 422, body: fileFault('Field required', 'required') })
    }
    expect(await send([...one('file'), '\r\n', ...one('file'), tail])).toMatchObject({
      status: 422,
      body: fileFault('Only one file can be sent', 'too_many_files'),
    })
  })

  it('that is no form, or an incomplete one, is refused', async () => {
    const malformed = { detail: [{ loc: ['body'], type: 'multipart_invalid' }] }
    expect(await send(['{}'], { 'content-type': 'application/json' })).toMatchObject({
      status: 415,
      body: { detail: 'Unsupported media type', code: 'unsupported_media_type' },
    })
    expect(await send([picture], { 'content-type': 'image/png' })).toMatchObject({ status: 415 })
    expect(await send(['hello'], { 'content-type': 'multipart/form-data' })).toMatchObject({
      status: 422,
      body: malformed,
    })
    expect(await send(one('file'))).toMatchObject({ status: 422, body: malformed })
    expect(await send(['no edge anywhere'])).toMatchObject({ status: 422 })
    expect(await send([])).toMatchObject({ status: 422 })
  })

  it.each(['gzip', 'br', 'zstd', 'GZIP', 'gzip, identity', 'snappy'])(
    'sent as %s is refused at once',
    async (coding) => {
      const pingId = await dropPing()
      const sizes = [1000, 600_000].map((size) => gzipSync(Buffer.alloc(size, randomBytes(size))))
      for (const path of ['/api/files/profile-image', `/api/files/pin-image/${pingId}`])
        for (const body of sizes) {
          const request = post(path, { 'content-encoding': coding, 'content-length': body.length })
          const [response] = await once(request.end(body), 'response')
          expect([response.statusCode, JSON.parse((await response.toArray()).join(''))]).toEqual([
            415,
            {
              detail: 'This compression is not supported. Please send it uncompressed.',
              code: 'unsupported_encoding',
            },
          ])
        }
      expect(await send([...one('file'), tail], { 'content-encoding': ' Identity' })).toMatchObject({ status: 200 })
    },
  )

  it('is accepted at no other endpoint', async () => {
    const form = new FormData()
    form.append('file', new Blob(['x']), 'x')
    const response = await fetch(`${server.url}/api/auth/login`, { method: 'POST', body: form })
    expect([response.status, await response.json()]).toEqual([
      415,
      { detail: 'Unsupported media type', code: 'unsupported_media_type' },
    ])
  })

  it('of exactly the limit is read, and one byte more is refused', async () => {
    const full = Buffer.alloc(fileLimits.profileImageBytes)
    picture.copy(full)
    // Bytes after the end of a PNG are ignored.
    expect(await send([head('file'), full, tail])).toMatchObject({ status: 200 })
    expect(await send([head('file'), full, 'x', tail])).toMatchObject({
      status: 413,
      body: { detail: 'Image must be less than 5MB', code: 'profile_image_too_large' },
    })
  })

  it('with a Content-Length above the limit is refused before it is sent', async () => {
    const sent = await send([head('file')], { 'content-length': 50_000_000 })
    expect(sent).toMatchObject({
      status: 413,
      body: { detail: 'Image must be less than 5MB', code: 'profile_image_too_large' },
    })
  })

  it('without an end is aborted at the limit, and its connection closed', async () => {
    function* endless() {
      yield head('file')
      const chunk = Buffer.alloc(64 * 1024)
      for (let sent = 0; sent < 50_000_000; sent += chunk.length) yield chunk
      yield tail
    }
    const { status, body, sentBytes } = await send(endless())
    expect([status, body]).toEqual([413, { detail: 'Image must be less than 5MB', code: 'profile_image_too_large' }])
    // The limit, and the bytes in the buffers of both ends.
    expect(sentBytes).toBeLessThan(20_000_000)
  })

  it('of a sender that does not read loses its connection, but not before the response is sent', async () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let responseText = ''
    socket.on('data', (text) => (responseText += text))
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/files/profile-image HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 900000000\r\n` +
        `authorization: Bearer ${ann.session.access_token}\r\n` +
        `content-type: multipart/form-data; boundary=${boundary}\r\n\r\n${head('file')}`,
    )
    const timer = setInterval(() => socket.write(Buffer.alloc(64 * 1024)), 20)
    await new Promise((resolve) => socket.on('close', resolve))
    clearInterval(timer)
    expect(responseText).toMatch(/^HTTP\/1.1 413 [\s\S]*Image must be less than 5MB/)
  })

  it('without a valid token is refused before it is read', async () => {
    const { status, sentBytes } = await send([head('file'), Buffer.alloc(1000), tail], { authorization: 'Bearer none' })
    expect(status).toBe(401)
    expect(sentBytes).toBeLessThan(2000)
  })

  it('leaves no file in the temporary folder, whether it succeeds or fails', async () => {
    expect(await storage.listUploads()).toEqual([])
  })

  it('that its sender aborts leaves no file', async () => {
    const request = post('/api/files/profile-image')
    request.write(head('file'))
    request.write(Buffer.alloc(500_000))
    await expect.poll(() => storage.listUploads()).toHaveLength(1)
    request.destroy()
    await expect.poll(() => storage.listUploads()).toEqual([])
  })

  it('left by a crash is deleted once it is old, and its folder is private', async () => {
    const folder = join(storage.environment.DATA_DIR, 'uploads')
    const now = server.clock.now().getTime()
    for (const [name, minutesOld] of [
      ['old', 16],
      ['new', 14],
    ] as const) {
      await writeFile(join(folder, name), 'x')
      await utimes(join(folder, name), now / 1000, now / 1000 - minutesOld * 60)
    }
    await server.app.fileJobs.runDue()
    expect(await storage.listUploads()).toEqual(['new'])
    await rm(join(folder, 'new'))
    for (const name of ['uploads', 'files']) {
      expect((await stat(join(storage.environment.DATA_DIR, name))).mode & 0o777).toBe(0o700)
    }
  })

  it('uses bounded memory when twenty large ones are sent concurrently', { timeout: 180_000 }, async () => {
    const pingIds = await Promise.all(Array.from({ length: 20 }, () => dropPing()))
    const folder = await mkdtemp(join(tmpdir(), 'hither-large-'))
    const path = join(folder, 'large.jpg')
    const large = await noisyJpeg(2700, 2000, 94)
    expect(large.length).toBeGreaterThan(9_000_000)
    expect(large.length).toBeLessThan(fileLimits.pingImageBytes)
    await writeFile(path, Buffer.concat([Buffer.from(head('file')), large, Buffer.from(tail)]))

    const before = process.memoryUsage.rss()
    let peak = before
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
    const statuses = await Promise.all(
      pingIds.map(async (pingId) => {
        const request = post(`/api/files/pin-image/${pingId}`)
        createReadStream(path).pipe(request)
        const [response] = await once(request, 'response')
        response.resume()
        return response.statusCode
      }),
    )
    clearInterval(timer)
    await rm(folder, { recursive: true, force: true })
    expect(statuses).toEqual(Array(20).fill(200))
    expect((peak - before) / 1e6).toBeLessThan(400)
    expect(await storage.listUploads()).toEqual([])
  })

  it('that its sender does not continue takes only a slot of its own user', async () => {
    const bob = await server.signUp('bob')
    const idle = Array.from({ length: uploadLimits.atOnce }, () => {
      const request = post('/api/files/profile-image')
      request.write(head('file'))
      request.write(Buffer.alloc(100))
      return { request, answer: once(request, 'response').then(([response]) => response.statusCode as number) }
    })
    const { atOnce, atOncePerUser, waitingPerUser } = uploadLimits
    const refused = atOnce - atOncePerUser - waitingPerUser
    const statuses: number[] = []
    await new Promise<void>((resolve) => {
      for (const { answer } of idle)
        answer.then(
          (status) => statuses.push(status) === refused && resolve(),
          () => undefined,
        )
    })
    expect(new Set(statuses)).toEqual(new Set([503]))
    // A refusal does not imply that the accepted uploads have opened their files.
    await expect.poll(() => storage.listUploads()).toHaveLength(atOncePerUser)
    const theirs = await send([...one('file'), tail], { authorization: `Bearer ${bob.session.access_token}` })
    expect(theirs.status).toBe(200)
    for (const { request } of idle) request.destroy()
    await expect.poll(() => storage.listUploads()).toEqual([])
    expect((await send([...one('file'), tail])).status).toBe(200)
  })

  it('that sends nothing for a while loses its connection and its slot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hither-idle-'))
    // Long enough for the complete upload at the end, also on a busy machine.
    const uploads = createUploads(folder, async () => undefined, 500)
    const app = fastify()
    await app.register(multipart)
    const limits = { maxBytes: 1000, tooLarge: 'body_too_large' } as const
    app.post('/', (request) => uploads.of(request, limits, 'ann').read(async () => ({ done: true })))
    const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const begun = ['POST / HTTP/1.1', 'host: x', 'content-length: 900']
    const type = `content-type: multipart/form-data; boundary=${boundary}`
    for (let count = 0; count < 6; count++) {
      const socket = connect(Number(url.port), url.hostname)
      socket.on('error', () => undefined)
      socket.write(`${[...begun, type].join('\r\n')}\r\n\r\n${head('file')}x`)
      await once(socket.resume(), 'close')
    }
    const form = new FormData()
    form.set('file', new Blob(['x']), 'a.png')
    expect(await (await fetch(url, { method: 'POST', body: form })).json()).toEqual({ done: true })
    await app.close()
    await rm(folder, { recursive: true })
  })

  it('to a ping that is deleted meanwhile is refused like one to an unknown ping, and leaves no files', async () => {
    const pingId = await dropPing()
    // Files that earlier tests replaced are deleted first.
    await server.app.fileJobs.runDue()
    const files = await storage.listFiles()
    const request = post(`/api/files/pin-image/${pingId}`)
    request.write(head('file'))
    request.write(picture)
    await expect.poll(() => storage.listUploads()).toHaveLength(1)
    await server.call(deletePing, { params: { id: pingId } }, ann)
    request.end(tail)
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(404)
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual(files)
  })

  it('that the database does not store leaves no files', async () => {
    const files = await storage.listFiles()
    await server.db`alter table images add constraint refused check (bytes < 0) not valid`
    expect(await send([...one('file'), tail])).toMatchObject({ status: 500 })
    await server.db`alter table images drop constraint refused`
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual(files)
  })
})

describe('the deletion of files', () => {
  it('removes files an hour after the server was killed while it wrote them', async () => {
    const files = await storage.listFiles()
    await server.db`
      create or replace function keep_erasures() returns trigger language plpgsql as $$ begin return null; end $$`
    // Like a kill between the files and the row: nothing more reaches the database.
    await server.db`alter table images add constraint refused check (bytes < 0) not valid`
    await server.db`create trigger killed before update on erasures for each row execute function keep_erasures()`
    await send([...one('file'), tail])
    await server.db`drop trigger killed on erasures`
    await server.db`alter table images drop constraint refused`
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toHaveLength(files.length + 2)
    server.clock.advance(3_600_000)
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual(files)
  })

  it('is retried after a failure, later each time', async () => {
    const stubborn = 'stubborn.webp'
    // A name that is no file cannot be deleted as a file.
    const path = join(storage.environment.DATA_DIR, 'files', stubborn)
    await mkdir(path)
    await server.db`insert into erasures (storage_key) values (${stubborn})`
    const attempts = async () => {
      await server.app.fileJobs.runDue()
      const [row] = await server.db<{ attempts: number }[]>`
        select attempts from erasures where storage_key = ${stubborn}`
      return row?.attempts
    }
    expect([await attempts(), await attempts()]).toEqual([1, 1])
    server.clock.advance(60_000)
    expect([await attempts(), await attempts()]).toEqual([2, 2])
    server.clock.advance(60_000)
    expect(await attempts()).toBe(2)
    await rm(path, { recursive: true })
    server.clock.advance(60_000)
    expect(await attempts()).toBeUndefined()
  })

  it('is done by one of two concurrent runs', async () => {
    await server.db`insert into erasures (storage_key) select 'gone-' || n from generate_series(1, 250) n`
    await Promise.all([server.app.fileJobs.runDue(), server.app.fileJobs.runDue()])
    expect(await server.db`select 1 from erasures`).toHaveLength(0)
  })
})
