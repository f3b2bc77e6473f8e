import { deletePingImage, deleteProfileImage } from '@hither/contract/files.ts'
import { blockUser, listFriends, removeFriend } from '@hither/contract/friends.ts'
import type { FriendshipId, PingId } from '@hither/contract/ids.ts'
import { createPing, deletePing, getPing } from '@hither/contract/pings.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { fileTexts } from '@hither/contract/runtime/files.ts'
import { getMe } from '@hither/contract/users.ts'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { decompressionBomb, halves, taggedPicture } from '../../test/pictures.ts'
import { storages, type TestStorage } from '../../test/storages.ts'

const profilePath = '/api/files/profile-image'

describe.each(storages)('pictures in $name', ({ open }) => {
  let storage: TestStorage
  let server: TestServer
  let ann: Person
  let bob: Person
  let eve: Person
  let picture: Buffer

  beforeAll(async () => {
    picture = await taggedPicture('jpeg', 6)
    storage = await open()
    server = await startServer(storage.environment)
  })

  beforeEach(async () => {
    ann = await server.signUp('ann')
    bob = await server.signUp('bob')
    eve = await server.signUp('eve')
    await server.befriend(ann, bob)
  })

  afterEach(async () => {
    expect(await storage.listUploads()).toEqual([])
    // Files left by a test are deleted as they would be with the accounts.
    await server.db`delete from users`
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })

  afterAll(async () => {
    await server.close()
    await storage.close()
  })

  async function upload(path: string, person: Person | null, bytes: Uint8Array | string = picture) {
    const form = new FormData()
    form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }), 'me.jpg')
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: form,
      headers: person ? { authorization: `Bearer ${person.session.access_token}` } : {},
    })
    return { status: response.status, body: await response.json() }
  }

  async function fetchImage(path: string, person: Person | null, headers: Record<string, string> = {}) {
    const response = await fetch(`${server.url}${path}`, {
      headers: { ...(person && { authorization: `Bearer ${person.session.access_token}` }), ...headers },
    })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  const refusalOf = ({ status, bytes }: { status: number; bytes: Buffer }) => ({ status, ...JSON.parse(String(bytes)) })

  async function dropPing(owner: Person, options: { is_public?: boolean; recipient_ids?: Person['id'][] } = {}) {
    const { status, body } = await server.call(
      createPing,
      { body: { name: 'Here', latitude: 1, longitude: 2, ...options } },
      owner,
    )
    expect(status).toBe(201)
    return body.id
  }

  const pingPath = (pingId: PingId) => `/api/files/pin-image/${pingId}`

  describe('of a user', () => {
    it('are accepted, and returned as WebP without location metadata', async () => {
      expect(await upload(profilePath, ann)).toEqual({ status: 200, body: { has_image: true } })
      const me = await server.call(getMe, {}, ann)
      expect(me.body.has_image).toBe(true)
      const image = await fetchImage(`${profilePath}/me`, ann)
      expect(image.status).toBe(200)
      expect(Object.fromEntries(image.headers)).toMatchObject({
        'content-type': 'image/webp',
        'content-length': String(image.bytes.length),
        'content-disposition': 'inline',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=0, must-revalidate',
        vary: 'origin, authorization',
      })
      const { exif, xmp, format, width, height } = await sharp(image.bytes).metadata()
      expect({ exif, xmp, format, width, height }).toEqual({ format: 'webp', width: 341, height: 512 })
    })

    it('have a thumbnail with an ETag of its own', async () => {
      await upload(profilePath, ann)
      const full = await fetchImage(`${profilePath}/me?size=full`, ann)
      const thumb = await fetchImage(`${profilePath}/me?size=thumb`, ann)
      expect(await sharp(thumb.bytes).metadata()).toMatchObject({ width: 85, height: 128 })
      expect(thumb.headers.get('etag')).not.toBe(full.headers.get('etag'))
      expect((await fetchImage(`${profilePath}/me?size=huge`, ann)).status).toBe(422)
    })

    it('return 304 to clients that have them, until they are replaced', async () => {
      await upload(profilePath, ann)
      const path = `${profilePath}/${ann.id}`
      const etag = (await fetchImage(path, bob)).headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]+"$/)
      for (const header of [etag, `"other", W/${etag}`, '*']) {
        const again = await fetchImage(path, bob, { 'if-none-match': header })
        expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag])
      }
      await upload(profilePath, ann, await halves(50, 40).png().toBuffer())
      expect((await fetchImage(path, bob, { 'if-none-match': etag })).status).toBe(200)
    })

    it('require authentication, and are hidden from both users after a block', async () => {
      await upload(profilePath, ann)
      const path = `${profilePath}/${ann.id}`
      expect((await fetchImage(path, null)).status).toBe(401)
      expect((await fetchImage(`${profilePath}/me`, null)).status).toBe(401)
      expect((await fetchImage(path, eve)).status).toBe(200)
      const etag = (await fetchImage(path, eve)).headers.get('etag') ?? ''
      await server.call(blockUser, { params: { username: 'eve' } }, ann)
      await server.call(blockUser, { params: { username: 'ann' } }, bob)
      const none = { status: 404, detail: 'Image not found', code: 'image_not_found' }
      expect(refusalOf(await fetchImage(path, bob))).toEqual(none)
      expect(refusalOf(await fetchImage(path, eve))).toEqual(none)
      // A cached copy does not reveal whether the picture still exists.
      expect(refusalOf(await fetchImage(path, eve, { 'if-none-match': etag }))).toEqual(none)
      expect(refusalOf(await fetchImage(`${profilePath}/${bob.id}`, ann))).toEqual(none)
      expect(refusalOf(await fetchImage(`${profilePath}/00000000-0000-7000-8000-000000000000`, ann))).toEqual(none)
      expect((await fetchImage(`${profilePath}/nobody`, ann)).status).toBe(422)
    })

    it('have their files deleted with the thumbnails after they are replaced or removed', async () => {
      await upload(profilePath, ann)
      const first = await storage.listFiles()
      expect(first).toHaveLength(2)
      for (const name of first) expect(name).toMatch(/^[0-9a-f]{48}\.webp$/)
      await upload(profilePath, ann, await halves(50, 40).png().toBuffer())
      await server.app.fileJobs.runDue()
      const second = await storage.listFiles()
      expect(second).toHaveLength(2)
      expect(second).not.toEqual(expect.arrayContaining([first[0]]))

      expect((await server.call(deleteProfileImage, {}, ann)).status).toBe(204)
      expect((await server.call(deleteProfileImage, {}, ann)).status).toBe(204)
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toEqual([])
      expect(refusalOf(await fetchImage(`${profilePath}/me`, ann))).toEqual({
        status: 404,
        detail: 'Image not found',
        code: 'image_not_found',
      })
      expect((await server.call(getMe, {}, ann)).body.has_image).toBe(false)
      expect(await server.db`select storage_key from erasures`).toEqual([])
    })

    it('are deleted with the account', async () => {
      await upload(profilePath, ann)
      const pingId = await dropPing(ann)
      await upload(pingPath(pingId), ann)
      expect(await storage.listFiles()).toHaveLength(4)
      await server.db`delete from users where id = ${ann.id}`
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toEqual([])
      expect((await upload(profilePath, ann)).status).toBe(401)
      server.clock.advance(1)
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toEqual([])
    })

    it('are announced live to the user and to friends, and to nobody else', async () => {
      const listeners = await Promise.all([ann, bob, eve].map((person) => server.listen(person, ['users'])))
      await upload(profilePath, ann)
      const [own, friends, strangers] = listeners
      for (const listener of [own, friends]) {
        const change = await listener?.until(({ new: row }) => row['id'] === ann.id && row['has_image'] === true)
        expect(change).toMatchObject({ eventType: 'UPDATE', new: { username: 'ann' } })
      }
      await server.call(deleteProfileImage, {}, ann)
      await friends?.until(({ new: row }) => row['id'] === ann.id && row['has_image'] === false)
      expect(strangers?.received.filter(({ new: row }) => row['id'] === ann.id)).toEqual([])
    })

    it('are refused with the texts of the contract if invalid, and the previous picture stays', async () => {
      await upload(profilePath, ann)
      const fieldErrorOf = (msg: string, type: string, code = type) => ({
        detail: [{ loc: ['body', 'file'], msg, type, code }],
        code: 'invalid_input',
      })
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
      for (const bytes of ['Hello', svg]) {
        expect(await upload(profilePath, ann, bytes)).toEqual({
          status: 415,
          body: { detail: 'Please select an image file', code: 'not_an_image' },
        })
      }
      expect(await upload(profilePath, ann, await decompressionBomb())).toEqual({
        status: 422,
        body: fieldErrorOf(fileTexts.imageTooManyPixels, 'image_too_large'),
      })
      expect(await upload(profilePath, ann, picture.subarray(0, 1500))).toEqual({
        status: 422,
        body: fieldErrorOf(fileTexts.imageBroken, 'image_broken'),
      })
      expect((await fetchImage(`${profilePath}/me`, ann)).status).toBe(200)
      expect(await storage.listFiles()).toHaveLength(2)
    })

    it('uploaded concurrently leave one picture and the files of one', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => upload(profilePath, ann)))
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toHaveLength(2)
      expect((await fetchImage(`${profilePath}/me`, ann)).status).toBe(200)
    })
  })

  describe('of a ping', () => {
    it('are set by its owner, in a larger size than those of users', async () => {
      const pingId = await dropPing(ann)
      const large = await halves(2000, 1000).jpeg().toBuffer()
      expect(await upload(pingPath(pingId), ann, large)).toEqual({ status: 200, body: { has_image: true } })
      expect((await server.call(getPing, { params: { id: pingId } }, bob)).body.has_image).toBe(true)
      const image = await fetchImage(`${pingPath(pingId)}/${ann.id}`, ann)
      const thumb = await fetchImage(`${pingPath(pingId)}/${ann.id}?size=thumb`, ann)
      expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'webp', width: 1600, height: 800 })
      expect(await sharp(thumb.bytes).metadata()).toMatchObject({ format: 'webp', width: 320, height: 160 })
    })

    it('are found by whichever of the two ids is the ping', async () => {
      const pingId = await dropPing(ann)
      await upload(pingPath(pingId), ann)
      for (const path of [`${pingId}/${ann.id}`, `${ann.id}/${pingId}`, `${pingId}/${pingId}`]) {
        expect((await fetchImage(`/api/files/pin-image/${path}`, bob)).status).toBe(200)
      }
      expect((await fetchImage(`/api/files/pin-image/${ann.id}/${ann.id}`, bob)).status).toBe(404)
      expect((await fetchImage(`/api/files/pin-image/${ann.id}/first`, bob)).status).toBe(422)
    })

    it('are visible to the users who see the ping, and to nobody else', async () => {
      const invited = await dropPing(ann)
      const shared = await dropPing(ann, { is_public: true, recipient_ids: [] })
      for (const id of [invited, shared]) await upload(pingPath(id), ann)
      const ask = async (id: PingId, person: Person | null) =>
        (await fetchImage(`${pingPath(id)}/${ann.id}`, person)).status
      expect([await ask(invited, ann), await ask(invited, bob), await ask(invited, eve)]).toEqual([200, 200, 404])
      expect([await ask(shared, ann), await ask(shared, eve), await ask(shared, null)]).toEqual([200, 200, 401])
      expect(refusalOf(await fetchImage(`${pingPath(invited)}/${ann.id}`, eve))).toEqual({
        status: 404,
        detail: 'Image not found',
        code: 'image_not_found',
      })
      await server.call(blockUser, { params: { username: 'eve' } }, ann)
      expect(await ask(shared, eve)).toBe(404)
      await server.call(blockUser, { params: { username: 'ann' } }, bob)
      expect([await ask(invited, bob), await ask(shared, bob)]).toEqual([404, 404])
    })

    it('are hidden from a former friend', async () => {
      const pingId = await dropPing(ann)
      await upload(pingPath(pingId), ann)
      const etag = (await fetchImage(`${pingPath(pingId)}/${ann.id}`, bob)).headers.get('etag') ?? ''
      const { body: friends } = await server.call(listFriends, {}, ann)
      await server.call(removeFriend, { params: { id: friends[0]?.id as FriendshipId } }, ann)
      const answer = await fetchImage(`${pingPath(pingId)}/${ann.id}`, bob, { 'if-none-match': etag })
      expect(answer.status).toBe(404)
    })

    it('do not mark the ping as seen when fetched', async () => {
      const pingId = await dropPing(ann)
      await upload(pingPath(pingId), ann)
      await fetchImage(`${pingPath(pingId)}/${ann.id}`, bob)
      const { body } = await server.call(getPing, { params: { id: pingId } }, ann)
      expect(body).toMatchObject({ recipients: [{ recipient_id: bob.id, has_seen: false }] })
    })

    it('are changed and removed by its owner only', async () => {
      const pingId = await dropPing(ann)
      await upload(pingPath(pingId), ann)
      const files = await storage.listFiles()
      const { ping_image_not_owned, ping_not_found } = refusals
      expect(await upload(pingPath(pingId), bob)).toEqual({
        status: 403,
        body: { detail: ping_image_not_owned.detail, code: 'ping_image_not_owned' },
      })
      expect(await upload(pingPath(pingId), eve)).toEqual({
        status: 404,
        body: { detail: ping_not_found.detail, code: 'ping_not_found' },
      })
      expect((await upload(pingPath(pingId), null)).status).toBe(401)
      const shared = await dropPing(ann, { is_public: true, recipient_ids: [] })
      expect((await upload(pingPath(shared), eve)).status).toBe(404)
      const removeAs = async (person: Person) =>
        (await server.call(deletePingImage, { params: { pingId } }, person)).status
      expect([await removeAs(bob), await removeAs(eve)]).toEqual([403, 404])
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toEqual(files)
      expect([await removeAs(ann), await removeAs(ann)]).toEqual([204, 204])
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toEqual([])
      expect((await server.call(getPing, { params: { id: pingId } }, ann)).body.has_image).toBe(false)
    })

    it('are deleted with the ping', async () => {
      const pingId = await dropPing(ann)
      await upload(pingPath(pingId), ann)
      expect((await server.call(deletePing, { params: { id: pingId } }, ann)).status).toBe(204)
      await server.app.fileJobs.runDue()
      expect(await storage.listFiles()).toEqual([])
      expect((await fetchImage(`${pingPath(pingId)}/${ann.id}`, ann)).status).toBe(404)
      expect((await upload(pingPath(pingId), ann)).status).toBe(404)
    })

    it('are announced live to the users who see the ping', async () => {
      const pingId = await dropPing(ann)
      const [own, friends, strangers] = await Promise.all(
        [ann, bob, eve].map((person) => server.listen(person, ['location_pins'])),
      )
      await upload(pingPath(pingId), ann)
      for (const listener of [own, friends]) {
        const change = await listener?.until(({ new: row }) => row['id'] === pingId && row['has_image'] === true)
        expect(change).toMatchObject({ eventType: 'UPDATE', new: { name: 'Here', user_id: ann.id } })
      }
      await server.call(deletePingImage, { params: { pingId } }, ann)
      await friends?.until(({ new: row }) => row['id'] === pingId && row['has_image'] === false)
      expect(strangers?.received).toEqual([])
    })
  })
})
