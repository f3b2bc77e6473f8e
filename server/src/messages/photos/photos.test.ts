import { randomUUID } from 'node:crypto'
import type { ConversationId, MessageId, PhotoId } from '@hither/contract/ids.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { messageFaults } from '@hither/contract/runtime/messages/messages.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../../test/harness.ts'
import { decompressionBomb, halves, taggedPicture } from '../../../test/pictures.ts'
import { race } from '../../../test/race.ts'
import { storages, type TestStorage } from '../../../test/storages.ts'
import { actionsOn, friendsOnly, noConversation, noMessage, unknownId } from '../harness.ts'

const [disk] = storages
if (!disk) throw new Error('No storage')

let storage: TestStorage
let server: TestServer
let cast: ReturnType<typeof actionsOn>
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId
let picture: Buffer

beforeAll(async () => {
  picture = await taggedPicture('jpeg')
  storage = await disk.open()
  server = await startServer(storage.environment)
  cast = actionsOn(server)
})

beforeEach(async () => {
  ;[ann, bob, cat, eve] = await Promise.all([
    server.signUp('ann'),
    server.signUp('bob'),
    server.signUp('cat'),
    server.signUp('eve'),
  ])
  await server.befriend(ann, bob)
  await server.befriend(ann, cat)
  await server.befriend(bob, cat)
  id = (await cast.group(ann, [bob, cat])).id
})

afterEach(async () => {
  expect(await storage.listUploads()).toEqual([])
  // Files left by a test are deleted as they would be with the accounts.
  await server.db`delete from chats`
  await server.db`delete from users`
  await server.app.fileJobs.runDue()
  expect(await storage.listFiles()).toEqual([])
})

afterAll(async () => {
  await server.close()
  await storage.close()
})

const upload = (who: Person, bytes: Uint8Array | string = picture, conversation = id) =>
  cast.upload(conversation, who, bytes)

/** Uploads a photo and fails the test if the server refuses it. */
async function photoOf(who: Person, conversation = id): Promise<PhotoId> {
  const { status, body } = await upload(who, picture, conversation)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.photo_id
}

async function sendPhoto(who: Person, content?: string): Promise<MessageId> {
  const { body } = await cast.post(id, who, { photo_id: await photoOf(who), ...(content && { content }) })
  return body.message.id
}

function load(message: string, who: Person, size = 'full', headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/files/message-photo/${message}?size=${size}`, {
    headers: { authorization: `Bearer ${who.session.access_token}`, ...headers },
  })
}

const statusOf = async (message: string, who: Person) => (await load(message, who)).status
const unavailable = {
  status: 422,
  body: { detail: [{ loc: ['body', 'photo_id'], msg: messageFaults.photo_unavailable, type: 'photo_unavailable' }] },
}

describe('a photo', () => {
  it('is uploaded, sent with a caption, and read by every member on the page, in the feed and the list', async () => {
    const listener = await server.listen(cat, ['messages'])
    const expires_at = new Date(server.clock.now().getTime() + 86_400_000).toISOString()
    const uploaded = await upload(ann)
    expect(uploaded).toEqual({
      status: 201,
      body: { photo_id: expect.any(String), width: 600, height: 400, expires_at },
    })
    const { photo_id } = uploaded.body
    const { status, body } = await cast.post(id, ann, { photo_id, content: ' Sunset ' })
    const attachment = { type: 'photo', caption: 'Sunset', width: 600, height: 400 }
    expect([status, body.message]).toMatchObject([201, { content: 'Sunset', attachment }])
    const [message] = (await cast.open(id, bob)).body.message_details.messages
    expect(message).toMatchObject({ content: 'Sunset', attachment })
    expect((await listener.until(() => true)).new).toMatchObject({ content: 'Sunset', attachment })
    expect((await cast.list(bob))[0]?.last_message?.content).toBe('Sunset')
    await listener.close()
  })

  it('without a caption has a content, and is quoted with it', async () => {
    const message = await sendPhoto(ann)
    await cast.post(id, bob, { content: 'Nice', reply_to_id: message })
    const { messages } = (await cast.open(id, cat)).body.message_details
    expect(messages.map(({ content }) => content)).toEqual(['📷 Photo', 'Nice'])
    expect(messages[1]?.reply_to).toMatchObject({ kind: 'photo', shows: 'kind', excerpt: '📷 Photo' })
  })

  it('is distinguished from a text and from a caption with the same words, in lists, quotes and live rows', async () => {
    const listener = await server.listen(cat, ['messages'])
    const seen = async (fields: { photo_id?: PhotoId; content?: string }) => {
      const { id: quoted } = (await cast.post(id, ann, fields)).body.message
      const { content, kind, shows } = (await cast.list(bob))[0]?.last_message ?? {}
      const reply = await cast.post(id, bob, { content: 'Nice', reply_to_id: quoted })
      const row = await listener.until(({ new: { id } }) => id === reply.body.message.id)
      const [page] = (await cast.open(id, cat)).body.message_details.messages.slice(-1)
      for (const quote of [reply.body.message.reply_to, row.new['reply_to'], page?.reply_to])
        expect(quote).toMatchObject({ kind, shows, excerpt: content })
      return { content, kind, shows }
    }
    const content = '📷 Photo'
    expect(await seen({ content })).toEqual({ content, kind: 'text', shows: 'text' })
    const [{ body: first }, { body: second }] = [await upload(ann), await upload(ann)]
    expect(await seen({ photo_id: first.photo_id })).toEqual({ content, kind: 'photo', shows: 'kind' })
    expect(await seen({ photo_id: second.photo_id, content })).toEqual({ content, kind: 'photo', shows: 'caption' })
    await listener.close()
  })

  it.each(['jpeg', 'png', 'webp'] as const)('from a %s file has no metadata and two sizes', async (format) => {
    const large = await sharp(await taggedPicture(format))
      .keepMetadata()
      .resize(2400, 1600)
      .toBuffer()
    const { body } = await upload(ann, large)
    const sent = await cast.post(id, ann, { photo_id: body.photo_id })
    for (const [size, width] of [
      ['full', fileLimits.messagePhotoPx],
      ['thumb', fileLimits.messagePhotoThumbPx],
    ] as const) {
      const response = await load(sent.body.message.id, bob, size)
      expect(response.headers.get('content-type')).toBe('image/webp')
      const bytes = Buffer.from(await response.arrayBuffer())
      const { exif, xmp, ...stored } = await sharp(bytes).metadata()
      expect([exif, xmp, stored.width]).toEqual([undefined, undefined, width])
      expect(bytes.includes('GPS') || bytes.includes('ann was here')).toBe(false)
    }
  })

  it('is loaded by members with an ETag, and no longer by those who cannot read the message', async () => {
    const message = await sendPhoto(ann)
    const first = await load(message, bob)
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, expect.stringContaining('private')])
    const again = await load(message, bob, 'full', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    await cast.remove(id, ann, cat)
    const refused = await Promise.all([load(message, eve), load(message, cat), load(unknownId, bob)])
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
    const bodies = await Promise.all(refused.map((response) => response.text()))
    expect(new Set(bodies)).toEqual(new Set([JSON.stringify(noMessage.body)]))
    await cast.erase(message, ann)
    expect(await (await load(message, bob)).text()).toBe(bodies[0])
  })

  it('in a direct conversation is hidden by a block', async () => {
    id = (await cast.make(ann, [bob])).id
    const message = await sendPhoto(ann)
    await cast.block(bob, ann)
    expect([await statusOf(message, ann), await statusOf(message, bob)]).toEqual([404, 404])
  })

  it('of a text does not exist', async () => {
    const { id: message } = await cast.say(id, ann)
    const response = await load(message, bob)
    expect([response.status, await response.json()]).toEqual([
      404,
      { detail: 'Image not found', code: 'image_not_found' },
    ])
  })
})

describe('an unsent photo', () => {
  it('can be used once, by its uploader, in its conversation, for 24 hours', async () => {
    const photo_id = await photoOf(ann)
    const other = await cast.group(ann, [bob, cat])
    expect(await cast.post(other.id, ann, { photo_id })).toMatchObject(unavailable)
    expect(await cast.post(id, bob, { photo_id })).toMatchObject(unavailable)
    expect(await cast.post(id, ann, { photo_id: unknownId as PhotoId })).toMatchObject(unavailable)
    const client_id = randomUUID()
    const first = await cast.post(id, ann, { photo_id, client_id })
    const again = await cast.post(id, ann, { photo_id, client_id })
    expect([first.status, again.status, again.body.message]).toEqual([201, 200, first.body.message])
    expect(await cast.post(id, ann, { photo_id, client_id: randomUUID() })).toMatchObject(unavailable)
    const late = await photoOf(ann)
    server.clock.advance(86_400_000)
    ann = await server.signIn(ann)
    expect(await cast.post(id, ann, { photo_id: late })).toMatchObject(unavailable)
  })

  it('sent twice at the same moment is in one message', async () => {
    const photo_id = await photoOf(ann)
    const lock = (tx: Parameters<Parameters<typeof race>[1]>[0]) => tx`select 1 from chats where id = ${id} for update`
    const send = () => cast.post(id, ann, { photo_id, client_id: randomUUID() })
    expect((await race(server.db, lock, send, send)).map(({ status }) => status)).toEqual([201, 422])
    expect(await server.db`select 1 from images where message_id is not null`).toHaveLength(1)
  })

  it('cannot be loaded, and is erased with its files after 24 hours', async () => {
    const photo_id = await photoOf(ann)
    expect([await statusOf(photo_id, ann), await statusOf(photo_id, bob)]).toEqual([404, 404])
    server.clock.advance(86_400_000 - 1000)
    await server.app.photoJobs.runDue()
    expect(await server.db`select 1 from images`).toHaveLength(1)
    server.clock.advance(3_600_000)
    await server.app.photoJobs.runDue()
    await server.app.fileJobs.runDue()
    expect(await server.db`select 1 from images`).toEqual([])
    expect(await storage.listFiles()).toEqual([])
    ann = await server.signIn(ann)
  })

  it('is not sent if the message is refused, and can be sent afterwards', async () => {
    const photo_id = await photoOf(ann)
    const reply = { photo_id, reply_to_id: unknownId as MessageId }
    expect((await cast.post(id, ann, reply)).status).toBe(422)
    expect((await cast.post(id, ann, { photo_id })).status).toBe(201)
  })
})

describe('an upload is refused', () => {
  it('of a file that is too large, no picture, broken or has too many pixels', async () => {
    const tooLarge = await upload(ann, Buffer.alloc(fileLimits.messagePhotoBytes + 1, picture))
    expect(tooLarge).toEqual({
      status: 413,
      body: { detail: 'Image must be less than 10MB', code: 'message_photo_too_large' },
    })
    expect((await upload(ann, 'just a text')).status).toBe(415)
    const broken = await halves(64, 64).jpeg().toBuffer()
    expect((await upload(ann, broken.subarray(0, broken.length / 2))).status).toBe(422)
    expect((await upload(ann, await decompressionBomb())).status).toBe(422)
    expect(await server.db`select 1 from images`).toEqual([])
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })

  it('to strangers, former members and former friends', async () => {
    await cast.leave(id, cat)
    for (const [who, conversation] of [
      [eve, id],
      [cat, id],
      [ann, unknownId as ConversationId],
    ] as const)
      expect(await upload(who, picture, conversation)).toMatchObject(noConversation)
    const direct = await cast.make(bob, [cat])
    await cast.unfriend(bob, cat)
    expect(await upload(bob, picture, direct.id)).toMatchObject(friendsOnly)
  })
})

describe('the photo of a deleted account', () => {
  it('is erased, and its message stays without the file', async () => {
    const message = await sendPhoto(bob, 'Sunset')
    await photoOf(bob)
    await cast.eraseAccount(bob)
    const response = await load(message, ann)
    expect([response.status, await response.json()]).toEqual([
      404,
      { detail: 'Image not found', code: 'image_not_found' },
    ])
    const [shown] = (await cast.open(id, ann)).body.message_details.messages
    expect(shown).toMatchObject({
      ...{ sender_id: null, sender_username: 'Deleted user', content: 'Sunset' },
      attachment: { type: 'photo', caption: 'Sunset', width: null, height: null },
    })
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })
})

describe('the photo of a deleted message', () => {
  it('is erased with its files, also by an admin of the group', async () => {
    const message = await sendPhoto(bob)
    await cast.erase(message, ann)
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
    expect(await server.db`select 1 from images`).toEqual([])
  })
})
