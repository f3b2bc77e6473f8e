import type { ConversationId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { countStatements, type StatementCounter } from '../../../test/statement-counter.ts'
import { type App, createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { type Database, openDatabase } from '../../platform/db/open-database.ts'
import { type Cast, startCast } from '../erasure/harness.ts'

/** Prepares what the calls need, on the same database. */
let cast: Cast
let counter: StatementCounter
let database: Database
let app: App
let url: string

beforeAll(async () => {
  cast = await startCast()
  const [row] = await cast.server.db<[{ name: string }]>`select current_database() as name`
  counter = await countStatements(`${inject('postgresUrl')}/${row.name}`)
  database = await openDatabase({ url: counter.url })
  app = await createApp({
    config: { ...readConfig({ RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' }), port: 0 },
    pool: database.pool,
    authSecret: 'a secret for tests, long enough to sign',
    log: pino({ level: 'silent' }),
    now: cast.server.clock.now,
  })
  url = await app.http.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await app.stop()
  await database.close()
  await counter.close()
  await cast.server.close()
})

async function call(method: string, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${cast.ann.session.access_token}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const { status } = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return status
}

/**
 * The lowest figures of three runs after two that open a connection and prepare statements. The node also asks whether the
 * database answers, from time to time, and reads the outbox, which is not counted.
 */
async function figuresOf(prepare: () => Promise<() => Promise<unknown>>) {
  const figures: ReturnType<StatementCounter['stop']>[] = []
  for (let round = 0; round < 5; round++) {
    const run = await prepare()
    counter.start()
    await run()
    figures.push(counter.stop())
  }
  const measured = figures.slice(2)
  return {
    statements: Math.min(
      ...measured.map(({ statements }) => statements.filter((text) => !readsOutbox.test(text)).length),
    ),
    roundTrips: Math.min(...measured.map(({ roundTrips }) => roundTrips)),
  }
}

const readsOutbox = /^\s*select[^;]*\bfrom outbox_state\b/

const expectStatus = (status: number, run: () => Promise<number>) => async () => expect(await run()).toBe(status)

describe('the budget of statements', () => {
  it('of a request that keeps a chat, and of one that does not, is 6 in 3 round trips', async () => {
    const keeping = async (isOwner: boolean) =>
      figuresOf(async () => {
        const { chat } = await cast.pinChat()
        if (!isOwner) await cast.server.db`update chats set ping_owner_id = null where id = ${chat.id}`
        return expectStatus(200, () => call('PUT', `/messages/conversations/${chat.id}/keep`))
      })
    for (const { statements, roundTrips } of [await keeping(true), await keeping(false)]) {
      expect(statements).toBeLessThanOrEqual(6)
      expect(roundTrips).toBeLessThanOrEqual(3)
    }
  })

  it('of the lists of conversations and pings is 1 with a date, and that of a message is that of before', async () => {
    const { chat } = await cast.pinChat()
    await cast.chats.keep(chat.id, cast.bob)
    const statementsOf = async (status: number, method: string, path: string, body?: object) =>
      (await figuresOf(async () => expectStatus(status, () => call(method, path, body)))).statements
    expect(await statementsOf(200, 'GET', '/messages/conversations')).toBe(1)
    expect(await statementsOf(200, 'GET', '/messages/conversations/summaries')).toBe(1)
    expect(await statementsOf(200, 'GET', '/pings/')).toBe(1)
    const { id } = await cast.chats.group(cast.ann, [cast.bob, cast.cat])
    const sending = (conversation_id: ConversationId) =>
      statementsOf(201, 'POST', '/messages/send', { conversation_id, content: 'Hello' })
    expect([await sending(chat.id), await sending(id)]).toEqual([5, 5])
  })

  it('of more time for a ping with a chat is 7 in 4 round trips', async () => {
    const { statements, roundTrips } = await figuresOf(async () => {
      const { ping } = await cast.pinChat()
      return expectStatus(200, () => call('PATCH', `/pings/${ping.id}`, { extend_minutes: 15 }))
    })
    expect(statements).toBeLessThanOrEqual(7)
    expect(roundTrips).toBeLessThanOrEqual(4)
  })

  it('of the erasure of a chat does not depend on its messages, and neither do its events', async () => {
    const erasing = async (messages: number) => {
      let events = 0
      const { statements } = await figuresOf(async () => {
        const { chat } = await cast.pinChat()
        await cast.server.db`
          insert into messages (id, chat_id, seq, sender_id, content, created_at, search)
          select gen_random_uuid(), ${chat.id}, s, ${cast.ann.id}, 'Hello', now(), ''
          from generate_series(1, ${messages}) s`
        await cast.server.db`
          insert into message_reactions (message_id, user_id, emoji, created_at)
          select id, ${cast.bob.id}, '👍', now() from messages where chat_id = ${chat.id}`
        cast.advanceTo(chat)
        await cast.server.db`delete from outbox`
        return async () => {
          await app.chatErasureJobs.runDue()
          const bodies = await cast.server.db<{ body: string }[]>`select body from outbox`
          events = bodies.flatMap(({ body }) => body.match(/"table":/g) ?? []).length
        }
      })
      return { statements, events }
    }
    const [few, many] = [await erasing(2), await erasing(400)]
    expect(many.statements).toBe(few.statements)
    expect(many.events).toBe(few.events)
    // Three members and the ping.
    expect(few.events).toBe(4)
  })
})
