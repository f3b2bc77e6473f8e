import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cast, startCast } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

beforeEach(() => cast.reset())
afterAll(() => cast.close())

async function makeChat() {
  const { ann, bob, cat } = cast
  const ping = await cast.drop(ann, [bob, cat])
  const fields = { name: 'Coffee Chat', ping_id: ping.id, system_created: true }
  const chat = await cast.make(ann, [bob, cat], fields)
  await cast.arrivals()
  const untilDateMs = () => Date.parse(chat.erase_at ?? '') - cast.server.clock.now().getTime()
  return { chat, ping, untilDateMs }
}

describe('the chat of a ping', () => {
  it('sends no push about a request, the keeping, a moved date and the erasure', async () => {
    const { ann, bob, server } = cast
    const { chat, ping } = await makeChat()
    await cast.keep(chat.id, bob)
    await cast.takeKeepBack(chat.id, bob)
    await cast.endPing(ping, ann)
    expect(await cast.notified()).toEqual([])
    server.clock.advance(8 * 86_400_000)
    await server.app.chatErasureJobs.runDue()
    expect(await server.db`select 1 from chats`).toEqual([])
    expect(await cast.notified()).toEqual([])
    const { chat: kept } = await makeChat()
    await cast.keep(kept.id, ann)
    expect(await cast.notified()).toEqual([])
  })

  it('sends no push from its date on that has waited, before and after the job has run', async () => {
    const { bob, server } = cast
    const { chat, untilDateMs } = await makeChat()
    server.clock.advance(untilDateMs() - 1000)
    await cast.say(chat.id, bob, 'Last words')
    expect(await cast.waiting()).toHaveLength(2)
    server.clock.advance(1000)
    expect(await cast.notified()).toEqual([])
    const { chat: next, untilDateMs: left } = await makeChat()
    server.clock.advance(left() - 1000)
    await cast.say(next.id, bob, 'Last words')
    server.clock.advance(1000)
    await server.app.chatErasureJobs.runDue()
    expect(await cast.waiting()).toEqual([])
    expect(await cast.notified()).toEqual([])
  })
})
