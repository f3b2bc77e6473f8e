import type { ReportId } from '@hither/contract/ids.ts'
import { deleteReported, getReportPicture } from '@hither/contract/reports.ts'
import { filledPath } from '@hither/contract/runtime/address.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../../test/harness.ts'
import { taggedPicture } from '../../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../../test/storages.ts'
import { actionsOn } from '../../messages/harness.ts'
import { findReport, makeAdmin, report } from '../harness.ts'

let storage: TestStorage
let server: TestServer
let cast: ReturnType<typeof actionsOn>
let admin: Person
let ann: Person
let bob: Person

beforeAll(async () => {
  storage = await openFolder()
  server = await startServer(storage.environment)
  cast = actionsOn(server)
  admin = await makeAdmin(server, await server.signUp('root'))
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  await server.befriend(ann, bob)
})

afterAll(async () => {
  await server.close()
  await storage.close()
})

async function reported(messageId: string): Promise<ReportId> {
  const { status, body } = await report(server, bob, { subject: 'message', subject_id: messageId })
  expect(status).toBe(201)
  return body.id
}

async function sendPhoto() {
  const { id } = (await cast.create(ann, [bob])).body
  const { photo_id } = (await cast.upload(id, ann, await taggedPicture('jpeg'))).body
  return (await cast.post(id, ann, { photo_id, content: 'Look' })).body.message
}

it('a report of a photo keeps the picture and the caption after the message is deleted by an admin', async () => {
  const message = await sendPhoto()
  const id = await reported(message.id)
  await cast.edit(message.id, ann, 'Sorry')
  expect(await findReport(server, admin, id)).toMatchObject({ content: 'Look', has_picture: true })
  expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
  expect(await server.db`select 1 from images`).toEqual([])
  expect((await cast.open(message.conversation_id, bob)).body.message_details.messages).toEqual([])
  await server.app.fileJobs.runDue()
  const headers = { authorization: `Bearer ${admin.session.access_token}` }
  const response = await fetch(`${server.url}/api${filledPath(getReportPicture.address, { id })}`, { headers })
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(600)
  expect(await storage.listFiles()).toHaveLength(1)
})

it('a report of a place keeps its name, address and coordinates', async () => {
  const { conversation_id } = await sendPhoto()
  const place = { latitude: 45.5, longitude: -122.6, name: 'Coffee at Nero', address: 'Main Street 5' }
  const { body } = await cast.post(conversation_id, ann, { content: 'Here!', place })
  const id = await reported(body.message.id)
  await cast.erase(body.message.id, ann)
  expect(await findReport(server, admin, id)).toMatchObject({ ...place, content: 'Here!', has_picture: false })
})
