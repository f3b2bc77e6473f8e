import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from '../../../test/faulty-proxy.ts'
import { type Cast, secondMs, startCast } from '../harness.ts'

let cast: Cast
let line: FaultyProxy
let before: number

beforeAll(async () => {
  cast = await startCast(async (port) => {
    line = await openFaultyProxy(port)
    return line.port
  })
})

beforeEach(async () => {
  line.set('open')
  await cast.reset()
  before = cast.service.received.length
})

afterAll(async () => {
  await cast.close()
  await line.close()
})

const run = () => cast.server.app.pushJobs.runDue()
const received = () => cast.service.received.slice(before)
const devices = () =>
  received()
    .map(({ device }) => device)
    .sort()

async function tryAgain() {
  cast.server.clock.advance(15 * secondMs)
  await run()
}

it('a push whose service closes the connection halfway is sent once after the service is back', async () => {
  line.truncateRequest()
  await cast.drop(cast.ann, [cast.bob])
  await run()
  expect([devices(), await cast.waiting()]).toEqual([[], [1]])
  await tryAgain()
  expect([devices(), await cast.waiting()]).toEqual([['bob'], []])
})

it('a push waits while its service is unavailable, like all others', async () => {
  line.cut()
  line.set('closed')
  await cast.drop(cast.ann, [cast.bob, cast.cat])
  await run()
  expect([devices(), await cast.waiting()]).toEqual([[], [1, 1]])
  line.set('open')
  await tryAgain()
  expect([devices(), await cast.waiting()]).toEqual([['bob', 'cat'], []])
})

it('a push accepted without a response is sent again, and replaces the first', async () => {
  // On a connection that was used before it would be sent again at once.
  line.cut()
  line.dropResponse('201')
  await cast.drop(cast.ann, [cast.bob])
  await run()
  expect([devices(), await cast.waiting()]).toEqual([['bob'], [1]])
  await tryAgain()
  expect([devices(), await cast.waiting()]).toEqual([['bob', 'bob'], []])
  const [first, again] = received()
  expect([again?.headers['topic'], again?.payload]).toEqual([first?.headers['topic'], first?.payload])
})

it('a silent push service delays no request, and one push per device waits', async () => {
  const { id } = await cast.make(cast.ann, [cast.bob, cast.cat], { name: 'Trip' })
  await run()
  line.set('silent')
  await cast.drop(cast.ann, [cast.bob])
  const sending = run()
  await expect.poll(cast.waiting).toEqual([1])
  for (let message = 0; message < 20; message++) await cast.say(id, cast.ann)
  await cast.drop(cast.ann, [cast.cat])
  // All messages of the conversation are one push for each device.
  expect(await cast.waiting()).toHaveLength(4)
  line.set('open')
  await sending
  cast.server.clock.advance(3 * secondMs)
  await run()
  expect([devices(), await cast.waiting()]).toEqual([['bob', 'bob', 'cat', 'cat'], []])
})

it('a push service that falls silent and then becomes unavailable gets each push once after it is back', async () => {
  line.set('silent')
  await cast.drop(cast.ann, [cast.bob, cast.cat])
  const sending = run()
  await expect.poll(cast.waiting).toEqual([1, 1])
  line.cut()
  // Pushes that have not reached a connection yet fail too.
  line.set('closed')
  await sending
  line.set('open')
  await tryAgain()
  expect([devices(), await cast.waiting()]).toEqual([['bob', 'cat'], []])
})
