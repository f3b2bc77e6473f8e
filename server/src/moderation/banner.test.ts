import { getBanner, type NewBanner, removeBanner, setBanner } from '@hither/contract/banner.ts'
import { listAdminActions } from '@hither/contract/moderation.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { countStatements } from '../../test/statement-counter.ts'
import { storages } from '../../test/storages.ts'
import { createApp } from '../app.ts'
import { takeBackup } from '../backups/backups.service.ts'
import { depsOn, openMachine } from '../backups/harness.ts'
import { restoreBackup } from '../backups/restore.service.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../ops/log.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { makeAdmin } from './harness.ts'

const dayMs = 86_400_000
let server: TestServer
let ann: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
  ann = await makeAdmin(server, await server.signUp('ann'))
  bob = await makeAdmin(server, await server.signUp('bob'), ann)
  eve = await server.signUp('eve')
})

beforeEach(async () => {
  await server.db`delete from banners`
  await server.db`delete from admin_actions`
  // A test may have advanced the clock beyond the life of an access token.
  ;[ann, bob, eve] = [await server.signIn(ann), await server.signIn(bob), await server.signIn(eve)]
})

afterAll(() => server.close())

const inMs = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString()
const show = (body: Partial<NewBanner>, who = ann) =>
  server.call(setBanner, { body: { text: 'Back at 8', ends_at: inMs(dayMs), ...body } }, who)
const seenBy = async (who: Person) => (await server.call(getBanner, {}, who)).body.banner
const textRefused = [{ loc: ['body', 'text'], msg: 'Please enter a text of 1 to 200 characters.' }]
const endRefused = [{ loc: ['body', 'ends_at'], msg: 'Please choose a time within the next 30 days.' }]

describe('a banner', () => {
  it('is seen by everyone who is signed in, as it was written, until its end', async () => {
    expect(await seenBy(eve)).toBeNull()
    const ends_at = inMs(dayMs)
    const set = await show({ text: '  <b>Back</b> at 8: https://example.org  ', ends_at })
    const banner = {
      text: '<b>Back</b> at 8: https://example.org',
      ends_at,
      updated_at: server.clock.now().toISOString(),
    }
    expect(set).toMatchObject({ status: 200, body: banner })
    expect(await seenBy(eve)).toEqual(banner)
    expect((await server.call(getBanner, {})).status).toBe(401)
    server.clock.advance(dayMs - 1)
    eve = await server.signIn(eve)
    expect(await seenBy(eve)).toEqual(banner)
    server.clock.advance(1)
    expect(await seenBy(eve)).toBeNull()
  })

  it('is replaced by the next one, and removed more than once without an error', async () => {
    await show({ text: 'First' })
    await show({ text: 'Second' }, bob)
    expect(await seenBy(eve)).toMatchObject({ text: 'Second' })
    for (const _ of ['once', 'twice']) expect((await server.call(removeBanner, {}, ann)).status).toBe(204)
    expect(await seenBy(eve)).toBeNull()
    const { body: log } = await server.call(listAdminActions, { query: {} }, ann)
    expect(log.map(({ admin_username, action, note }) => [admin_username, action, note]).reverse()).toEqual([
      ['ann', 'banner_set', null],
      ['bob', 'banner_set', null],
      ['ann', 'banner_removed', null],
    ])
  })

  it('of two administrators at once is that of the last one, and both are logged', async () => {
    const answers = await race(
      server.db,
      (tx) => tx`lock table banners in share row exclusive mode`,
      () => show({ text: 'One' }),
      () => show({ text: 'Two' }, bob),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(['One', 'Two']).toContain((await seenBy(eve))?.text)
    expect(await server.db`select action from admin_actions`).toHaveLength(2)
  })

  it('is deleted by the hourly job after its end, and not before', async () => {
    await show({ ends_at: inMs(dayMs) })
    await server.app.moderationJobs.runDue()
    expect(await server.db`select from banners`).toHaveLength(1)
    server.clock.advance(dayMs)
    await server.app.moderationJobs.runDue()
    expect(await server.db`select from banners`).toHaveLength(0)
  })

  it.each([
    ['no text', { text: '' }, textRefused],
    ['only spaces', { text: '   ' }, textRefused],
    ['201 characters', { text: 'x'.repeat(201) }, textRefused],
    ['two lines', { text: 'Back\nat 8' }, textRefused],
    ['a character that changes the direction', { text: 'Back\u202Eat 8' }, textRefused],
    ['something else than a text', { text: 8 as never }, textRefused],
    ['no end', { ends_at: undefined as never }, endRefused],
    ['an end that is no time', { ends_at: 'tomorrow' }, endRefused],
    ['an end that is far away', { ends_at: '9999-01-01T00:00:00Z' }, endRefused],
    ['an empty text and a past end', { text: '', ends_at: '2020-01-01T00:00:00Z' }, [...textRefused, ...endRefused]],
  ])('is refused with %s', async (_name, body, detail) => {
    expect(await show(body)).toMatchObject({ status: 422, body: { detail } })
    expect(await seenBy(eve)).toBeNull()
  })

  it('has up to 200 characters, and ends within 30 days of the clock of the server', async () => {
    expect((await show({ text: '🎉'.repeat(200), ends_at: inMs(30 * dayMs) })).status).toBe(200)
    expect(await show({ ends_at: inMs(30 * dayMs + 1) })).toMatchObject({ status: 422, body: { detail: endRefused } })
    expect(await show({ ends_at: inMs(0) })).toMatchObject({ status: 422, body: { detail: endRefused } })
  })

  it('cannot be set or removed by a member, who gets the answer of an unknown address', async () => {
    await show({})
    const notFound = { status: 404, body: { code: 'route_not_found' } }
    expect(await show({ text: 'Mine' }, eve)).toMatchObject(notFound)
    expect(await show({ text: 'x'.repeat(201) }, eve)).toMatchObject(notFound)
    expect(await server.call(removeBanner, {}, eve)).toMatchObject(notFound)
    expect(await seenBy(eve)).toMatchObject({ text: 'Back at 8' })
  })
})

it('costs its reader one statement and at most 1 KB', async () => {
  await show({ text: '🎉'.repeat(200) })
  const [row] = await server.db<[{ name: string }]>`select current_database() as name`
  const counter = await countStatements(`${inject('postgresUrl')}/${row.name}`)
  const database = await openDatabase({ url: counter.url })
  const app = await createApp({
    config: { ...readConfig({ RATE_LIMITS: 'off', LOAD_SHEDDING: 'off', BACKUPS_ENABLED: 'off' }), port: 0 },
    pool: database.pool,
    authSecret: 'a secret for tests, long enough to sign',
    log: createLog('silent'),
    now: server.clock.now,
  })
  try {
    const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
    const headers = { authorization: `Bearer ${eve.session.access_token}` }
    const figures: { statements: number; bytes: number }[] = []
    for (let round = 0; round < 5; round++) {
      counter.start()
      const response = await fetch(`${url}/api/banner`, { headers })
      const { byteLength: bytes } = await response.arrayBuffer()
      figures.push({ statements: counter.stop().statements.length, bytes })
    }
    // The first calls open the connection. The node also reads the outbox from time to time.
    expect(Math.min(...figures.slice(2).map(({ statements }) => statements))).toBe(1)
    expect(Math.max(...figures.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1024)
  } finally {
    await app.stop()
    await database.close()
    await counter.close()
  }
})

it('a restore brings back a banner, unless it has ended', async () => {
  const kind = storages[0]
  if (!kind) throw new Error('No storage')
  const storage = await kind.open()
  const other = await openMachine(kind)
  try {
    await show({})
    const { path } = await takeBackup(depsOn(server.db, storage.environment), 'manual')
    const restoreAt = async (ms: number) => {
      await restoreBackup({ ...other.deps, now: () => new Date(inMs(ms)) }, { path, force: true })
      return other.deps.pool`select text from banners`
    }
    expect(await restoreAt(dayMs - 1)).toEqual([{ text: 'Back at 8' }])
    expect(await restoreAt(dayMs)).toEqual([])
  } finally {
    await other.close()
    await storage.close()
  }
})
