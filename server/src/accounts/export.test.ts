import { type IncomingMessage, request } from 'node:http'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { AccountExport, exportAccount } from '@hither/contract/users.ts'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { actionsOn } from '../messages/harness.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Writes this many messages of 4000 wide characters, 12 KB each, which is more than the buffers of a connection hold. */
async function writeMessages(sender: Person, friend: Person, count: number): Promise<void> {
  await server.befriend(sender, friend)
  const { id } = await actionsOn(server).make(sender, [friend])
  await server.db`
    insert into messages (id, chat_id, sender_id, seq, content, search, created_at)
    select gen_random_uuid(), ${id}, ${sender.id}, n, n || repeat('界', 3990), '', now() + n * interval '1 ms'
    from generate_series(1, ${count}::integer) as n`
}

/** Requests an export and does not read it. Resolves with the beginning of the response. */
function stalledExport({ session }: Person): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${session.access_token}`, 'accept-encoding': 'identity' }
    request(`${server.url}/api${splitAddress(exportAccount.address).path}`, { headers, agent: false }, resolve)
      .once('error', reject)
      .end()
  })
}

it('has every row of long lists in order, and exactly the fields of the contract', async () => {
  const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
  await writeMessages(ann, bob, 250)
  const { status, body } = await server.call(exportAccount, {}, ann)
  expect(status).toBe(200)
  expect(body.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
  expect(Value.Check(AccountExport, body)).toBe(true)
  expect(Value.Clean(AccountExport, structuredClone(body))).toEqual(body)
})

it('runs once for each person and twice for the server, until the client has it or stops reading', async () => {
  const people = await Promise.all(['cat', 'dan', 'eve'].map((name) => server.signUp(name)))
  const [cat, dan, eve] = people as [Person, Person, Person]
  const fay = await server.signUp('fay')
  for (const person of [cat, dan]) await writeMessages(person, fay, 2500)

  const first = await stalledExport(cat)
  const again = await server.call(exportAccount, {}, cat)
  expect(again).toMatchObject({ status: 429, body: { code: 'export_running' } })
  expect(again.headers.get('retry-after')).toBe('30')
  const second = await stalledExport(dan)
  const third = await server.call(exportAccount, {}, eve)
  expect(third).toMatchObject({ status: 503, body: { code: 'server_busy' } })
  expect(third.headers.get('retry-after')).toBe('30')
  // The rest of the server, and the database, wait for nobody. Other work of the server may be between two statements.
  const openTransactions = () => server.db`
    select state from pg_stat_activity where datname = current_database() and state like 'idle in %'`
  await expect.poll(openTransactions, { timeout: 5000 }).toEqual([])

  // One client disconnects, the other is disconnected.
  first.destroy()
  const exported = (person: Person) => async () => {
    const { status, body } = await server.call(exportAccount, {}, person)
    expect(status).toBe(200)
    return body.messages.length
  }
  for (const person of [cat, dan])
    expect(await vi.waitFor(exported(person), { timeout: 60_000, interval: 200 })).toBe(2500)
  expect(second.complete).toBe(false)
  second.destroy()
})
