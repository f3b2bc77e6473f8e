import { expect, test } from 'vitest'
import { Busy, createJoinQueue } from './join-queue.ts'

/** Without a limit for each user. */
const ofOneUser = { runningPerUserMax: 100, waitingPerUserMax: 100 }

/** Work that ends when the test ends it. */
function work() {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  let hasStarted = false
  return {
    finish,
    hasStarted: () => hasStarted,
    run: async () => {
      hasStarted = true
      await done
      return 'done'
    },
  }
}

test('runs a limited number of joins at once and the next one when one is done', async () => {
  const joinQueue = createJoinQueue({ runningMax: 2, waitingMax: 10, ...ofOneUser, answerWithinMs: 60_000 })
  const works = [work(), work(), work()] as const
  const results = works.map(({ run }) => joinQueue.run('ann', run))
  expect(works.map(({ hasStarted }) => hasStarted())).toEqual([true, true, false])
  works[1].finish()
  expect(await results[1]).toBe('done')
  await Promise.resolve()
  expect(works[2].hasStarted()).toBe(true)
  for (const { finish } of works) finish()
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

test('refuses a join if the queue is full, and frees the slot of a join that failed', async () => {
  const joinQueue = createJoinQueue({ runningMax: 1, waitingMax: 1, ...ofOneUser, answerWithinMs: 60_000 })
  const [first, second] = [work(), work()]
  const running = joinQueue.run('ann', first.run)
  const waiting = joinQueue.run('ann', async () => {
    throw new Error('no database')
  })
  await expect(joinQueue.run('ann', second.run)).rejects.toBeInstanceOf(Busy)
  first.finish()
  await running
  await expect(waiting).rejects.toThrow('no database')
  second.finish()
  expect(await joinQueue.run('ann', second.run)).toBe('done')
})

test('rejects a join that waited too long, and does not start it later', async () => {
  const joinQueue = createJoinQueue({ runningMax: 1, waitingMax: 10, ...ofOneUser, answerWithinMs: 20 })
  const [slow, late, next] = [work(), work(), work()]
  const results = [joinQueue.run('ann', slow.run), joinQueue.run('ann', late.run)]
  for (const result of results) await expect(result).rejects.toBeInstanceOf(Busy)
  slow.finish()
  next.finish()
  expect(await joinQueue.run('ann', next.run)).toBe('done')
  expect(late.hasStarted()).toBe(false)
})

test('refuses joins of one user beyond their share and leaves capacity to other users', async () => {
  const limits = { runningMax: 4, waitingMax: 100, runningPerUserMax: 2, waitingPerUserMax: 3, answerWithinMs: 60_000 }
  const joinQueue = createJoinQueue(limits)
  const greedy = Array.from({ length: 5 }, work)
  const results = greedy.map(({ run }) => joinQueue.run('eve', run))
  await expect(joinQueue.run('eve', work().run)).rejects.toBeInstanceOf(Busy)
  const other = work()
  const result = joinQueue.run('ann', other.run)
  expect(other.hasStarted()).toBe(true)
  expect(greedy.map(({ hasStarted }) => hasStarted())).toEqual([true, true, false, false, false])
  for (const { finish } of [...greedy, other]) finish()
  expect(await Promise.all([...results, result])).toEqual(Array(6).fill('done'))
})

test('serves users with waiting joins in turn', async () => {
  const limits = { runningMax: 1, waitingMax: 100, runningPerUserMax: 1, waitingPerUserMax: 10, answerWithinMs: 60_000 }
  const joinQueue = createJoinQueue(limits)
  const order: string[] = []
  const join = (user: string) => joinQueue.run(user, async () => order.push(user))
  await Promise.all([join('eve'), join('eve'), join('eve'), join('ann'), join('eve')])
  expect(order).toEqual(['eve', 'eve', 'ann', 'eve', 'eve'])
})
