import { expect, onTestFinished, test, vi } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

function bucketAt(start: number) {
  let time = start
  const bucket = new TokenBucket({ burst: 3, perSecond: 10 }, () => time)
  return {
    bucket,
    pass(ms: number) {
      time += ms
    },
  }
}

test('allows a burst and then the refill rate', () => {
  const { bucket, pass } = bucketAt(0)
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false])
  pass(99)
  expect(bucket.take()).toBe(false)
  pass(1)
  expect(bucket.take()).toBe(true)
  pass(60_000)
  expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false])
})

test('returns the wait for an overdraft, limited to one burst', () => {
  const { bucket, pass } = bucketAt(0)
  expect([1, 2, 3, 4, 5].map(() => bucket.overdraw())).toEqual([0, 0, 0, 100, 200])
  pass(150)
  expect(bucket.overdraw()).toBeCloseTo(150)
  for (let i = 0; i < 100; i++) bucket.overdraw()
  expect(bucket.overdraw()).toBe(300)
})

test('uses a monotonic clock', async () => {
  vi.setSystemTime(Date.now())
  onTestFinished(() => void vi.useRealTimers())
  const bucket = new TokenBucket({ burst: 1, perSecond: 1000 })
  expect(bucket.take()).toBe(true)
  vi.setSystemTime(Date.now() - 3_600_000)
  await expect.poll(() => bucket.take()).toBe(true)
})
