import { expect, test } from 'vitest'
import { Busy, createAdmission } from './admission.ts'

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
  const admission = createAdmission({ runningMax: 2, waitingMax: 10, answerWithinMs: 60_000 })
  const works = [work(), work(), work()] as const
  const results = works.map(({ run }) => admission.run(run))
  expect(works.map(({ hasStarted }) => hasStarted())).toEqual([true, true, false])
  works[1].finish()
  expect(await results[1]).toBe('done')
  await Promise.resolve()
  expect(works[2].hasStarted()).toBe(true)
  for (const { finish } of works) finish()
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

test('a line that is too long turns the next away, and work that fails does not hold its place', async () => {
  const admission = createAdmission({ runningMax: 1, waitingMax: 1, answerWithinMs: 60_000 })
  const [first, second] = [work(), work()]
  const running = admission.run(first.run)
  const waiting = admission.run(async () => {
    throw new Error('no database')
  })
  await expect(admission.run(second.run)).rejects.toBeInstanceOf(Busy)
  first.finish()
  await running
  await expect(waiting).rejects.toThrow('no database')
  second.finish()
  expect(await admission.run(second.run)).toBe('done')
})

test('who waits for too long is answered all the same, and their work is not begun after that', async () => {
  const admission = createAdmission({ runningMax: 1, waitingMax: 10, answerWithinMs: 20 })
  const [slow, late, next] = [work(), work(), work()]
  const results = [admission.run(slow.run), admission.run(late.run)]
  for (const result of results) await expect(result).rejects.toBeInstanceOf(Busy)
  slow.finish()
  next.finish()
  expect(await admission.run(next.run)).toBe('done')
  expect(late.hasStarted()).toBe(false)
})
