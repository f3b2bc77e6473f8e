import { expect, onTestFinished, test, vi } from 'vitest'
import { createBucket } from './bucket.ts'

function bucketAt(start: number) {
  let time = start
  const bucket = createBucket({ burst: 3, perSecond: 10 }, () => time)
  return {
    bucket,
    pass(ms: number) {
      time += ms
    },
  }
}

test('so much at once, then as much as flows in', () => {
  const { bucket, pass } = bucketAt(0)
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false])
  pass(99)
  expect(bucket.take()).toBe(false)
  pass(1)
  expect(bucket.take()).toBe(true)
  pass(60_000)
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false])
})

test('who overdraws waits for what is missing, and for no more than a whole burst', () => {
  const { bucket, pass } = bucketAt(0)
  expect([1, 2, 3, 4, 5].map(() => bucket.overdraw())).toEqual([0, 0, 0, 100, 200])
  pass(150)
  expect(bucket.overdraw()).toBeCloseTo(150)
  for (let i = 0; i < 100; i++) bucket.overdraw()
  expect(bucket.overdraw()).toBe(300)
})

test('goes by a clock that nobody sets', async () => {
  vi.setSystemTime(Date.now())
  onTestFinished(() => void vi.useRealTimers())
  const bucket = createBucket({ burst: 1, perSecond: 1000 })
  expect(bucket.take()).toBe(true)
  vi.setSystemTime(Date.now() - 3_600_000)
  await expect.poll(() => bucket.take()).toBe(true)
})
