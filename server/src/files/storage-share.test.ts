import { deleteProfileImage } from '@hither/contract/files.ts'
import { deleteMessage, sendMessage } from '@hither/contract/messages/messages.ts'
import { getServiceStatus, listUsers } from '@hither/contract/moderation.ts'
import { exportAccount } from '@hither/contract/users.ts'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { noisyJpeg } from '../../test/pictures.ts'
import { race } from '../../test/race.ts'
import { openFolder, storages, type TestStorage } from '../../test/storages.ts'
import { actionsOn } from '../messages/harness.ts'
import { lockShare } from './files.queries.ts'

let picture: Buffer
let storage: TestStorage
let server: TestServer

beforeAll(async () => {
  picture = await noisyJpeg(600, 400, 90)
})
afterEach(async () => {
  await server.close()
  await storage.close()
})

const full = { status: 409, body: { code: 'storage_full' } }
const megabyte = 1_000_000

function uploadProfile({ session }: Person) {
  const form = new FormData()
  form.append('file', new Blob([picture as Uint8Array<ArrayBuffer>]), 'me.jpg')
  const headers = { authorization: `Bearer ${session.access_token}` }
  return fetch(`${server.url}/api/files/profile-image`, { method: 'POST', body: form, headers })
}

const bytesOf = async ({ id }: Person) => {
  const [row] = await server.db<[{ bytes: number }]>`select picture_bytes(${id}::uuid)::float8 as bytes`
  return row.bytes
}

describe.each(storages)('the share of a person with pictures in $name', ({ open }) => {
  it('is kept by uploads at the same moment, is theirs alone, and grows with what they delete', async () => {
    storage = await open()
    server = await startServer({ ...storage.environment, STORAGE_PER_PERSON_MB: '1' })
    const cast = actionsOn(server)
    const [ann, bob, cat] = [await server.signUp('ann'), await server.signUp('bob'), await server.signUp('cat')]
    for (const friend of [bob, cat]) await server.befriend(ann, friend)
    const [{ id: chat }, { id: otherChat }] = [await cast.make(ann, [bob]), await cast.make(ann, [cat])]
    expect((await uploadProfile(ann)).status).toBeLessThan(300)
    const ofProfile = await bytesOf(ann)
    const first = await cast.upload(chat, ann, picture)
    const each = (await bytesOf(ann)) - ofProfile
    const fit = Math.floor((megabyte - ofProfile) / each)
    expect(fit).toBeGreaterThanOrEqual(2)
    for (let photo = 2; photo < fit; photo++) expect((await cast.upload(chat, ann, picture)).status).toBe(201)
    // Only one more fits, and the two wait for each other.
    const answers = await race(
      server.db,
      (tx) => lockShare(tx, ann.id),
      () => cast.upload(chat, ann, picture),
      () => cast.upload(otherChat, ann, picture),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject(full)
    expect(await bytesOf(ann)).toBeLessThanOrEqual(megabyte)
    expect((await cast.upload(chat, bob, picture)).status).toBe(201)

    // A sent photo still counts, until its message is deleted.
    const body = { conversation_id: chat, photo_id: first.body.photo_id }
    const { message } = (await server.call(sendMessage, { body }, ann)).body
    expect(await cast.upload(chat, ann, picture)).toMatchObject(full)
    await server.call(deleteMessage, { params: { id: message.id } }, ann)
    expect((await cast.upload(chat, ann, picture)).status).toBe(201)
    await server.call(deleteProfileImage, {}, ann)
    expect(await bytesOf(ann)).toBe(fit * each)

    await server.db`insert into admins (user_id, appointed_at) values (${bob.id}, now())`
    const { body: people } = await server.call(listUsers, { body: {} }, bob)
    expect(people.map(({ username, picture_bytes }) => [username, picture_bytes])).toEqual([
      ['ann', fit * each],
      ['bob', each],
      ['cat', 0],
    ])
    expect((await server.call(getServiceStatus, {}, bob)).body).toMatchObject({
      picture_bytes_per_user_max: megabyte,
      most_pictures: [
        { username: 'ann', picture_bytes: fit * each },
        { username: 'bob', picture_bytes: each },
      ],
    })
  })
})

describe('the free space of the disk', () => {
  it('ends uploads and exports before the database fails', async () => {
    storage = await openFolder()
    server = await startServer({ ...storage.environment, DISK_FREE_MIN_MB: '1000000' })
    const ann = await server.signUp('ann')
    const low = await uploadProfile(ann)
    expect([low.status, await low.json()]).toMatchObject([507, { code: 'disk_low' }])
    expect(await server.call(exportAccount, {}, ann)).toMatchObject({ status: 507, body: { code: 'disk_low' } })
    // The place is free again.
    expect(await server.call(exportAccount, {}, ann)).toMatchObject({ body: { code: 'disk_low' } })
  })
})
