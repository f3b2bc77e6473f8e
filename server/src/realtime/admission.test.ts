import { expect, test } from 'vitest'
import { Busy, createAdmission } from './admission.ts'

/** No limit of its own. */
const ofOneUser = { runningPerUserMax: 100, waitingPerUserMax: 100 }

/** Work that ends when told to. */
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

test('so many are let in at once, and the next when one is done', async () => {
  const admission = createAdmission({ runningMax: 2, waitingMax: 10, ...ofOneUser, answerWithinMs: 60_000 })
  const works = [work(), work(), work()] as const
  const results = works.map(({ run }) => admission.run('ann', run))
  expect(works.map(({ hasStarted }) => hasStarted())).toEqual([true, true, false])
  works[1].finish()
  expect(await results[1]).toBe('done')
  await Promise.resolve()
  expect(works[2].hasStarted()).toBe(true)
  for (const { finish } of works) finish()
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

test('a line that is too long turns the next away, and work that fails does not hold its place', async () => {
  const admission = createAdmission({ runningMax: 1, waitingMax: 1, ...ofOneUser, answerWithinMs: 60_000 })
  const [first, second] = [work(), work()]
  const running = admission.run('ann', first.run)
  const waiting = admission.run('ann', async () => {
    throw new Error('no database')
  })
  await expect(admission.run('ann', second.run)).rejects.toBeInstanceOf(Busy)
  first.finish()
  await running
  await expect(waiting).rejects.toThrow('no database')
  second.finish()
  expect(await admission.run('ann', second.run)).toBe('done')
})

test('who waits for too long is answered all the same, and their work is not begun after that', async () => {
  const admission = createAdmission({ runningMax: 1, waitingMax: 10, ...ofOneUser, answerWithinMs: 20 })
  const [slow, late, next] = [work(), work(), work()]
  const results = [admission.run('ann', slow.run), admission.run('ann', late.run)]
  for (const result of results) await expect(result).rejects.toBeInstanceOf(Busy)
  slow.finish()
  next.finish()
  expect(await admission.run('ann', next.run)).toBe('done')
  expect(late.hasStarted()).toBe(false)
})

test('a user with more joins than one user may have leaves capacity to others, and is refused beyond the share', async () => {
  const limits = { runningMax: 4, waitingMax: 100, runningPerUserMax: 2, waitingPerUserMax: 3, answerWithinMs: 60_000 }
  const admission = createAdmission(limits)
  const greedy = Array.from({ length: 5 }, work)
  const results = greedy.map(({ run }) => admission.run('eve', run))
  await expect(admission.run('eve', work().run)).rejects.toBeInstanceOf(Busy)
  const other = work()
  const result = admission.run('ann', other.run)
  expect(other.hasStarted()).toBe(true)
  expect(greedy.map(({ hasStarted }) => hasStarted())).toEqual([true, true, false, false, false])
  for (const { finish } of [...greedy, other]) finish()
  expect(await Promise.all([...results, result])).toEqual(Array(6).fill('done'))
})

test('users with waiting joins take turns', async () => {
  const limits = { runningMax: 1, waitingMax: 100, runningPerUserMax: 1, waitingPerUserMax: 10, answerWithinMs: 60_000 }
  const admission = createAdmission(limits)
  const order: string[] = []
  const join = (user: string) => admission.run(user, async () => order.push(user))
  await Promise.all([join('eve'), join('eve'), join('eve'), join('ann'), join('eve')])
  expect(order).toEqual(['eve', 'eve', 'ann', 'eve', 'eve'])
})
