import type { UserId } from '@hither/contract/ids.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createOnlineAnnouncer } from './online-announcer.ts'

const ann = 'ann' as UserId
const bob = 'bob' as UserId

/** An announcer whose announcements wait until the test finishes them. */
function createBlockedAnnouncer(pauses?: { firstMs: number; maxMs: number }) {
  const started: { userId: UserId; end: () => void; fail: (error: Error) => void }[] = []
  const errors: unknown[] = []
  let wake = () => {}
  const announcer = createOnlineAnnouncer(
    (userId) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      started.push({ userId, end: resolve, fail: reject })
      wake()
      return promise
    },
    (error) => errors.push(error),
    pauses,
  )
  onTestFinished(async () => {
    const stopped = announcer.stop()
    for (const { end } of started) end()
    await stopped
  })
  return {
    ...announcer,
    errors,
    users: () => started.map(({ userId }) => userId),
    /** Resolves when the announcement with this index has started. */
    async started(index: number) {
      while (started.length <= index)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const announcement = started[index]
      if (!announcement) throw new Error('unreachable')
      return announcement
    },
  }
}

it('announces a user one at a time, and once for all changes during an announcement and the pause after it', async () => {
  const blocked = createBlockedAnnouncer({ firstMs: 60, maxMs: 60 })
  for (let i = 0; i < 3; i++) blocked.announce(ann)
  blocked.announce(bob)
  expect(blocked.users()).toEqual([ann, bob])
  const since = performance.now()
  ;(await blocked.started(0)).end()
  ;(await blocked.started(2)).end()
  expect(performance.now() - since).toBeGreaterThan(55)
  expect(blocked.users()).toEqual([ann, bob, ann])
  blocked.announce(ann)
  await blocked.started(3)
  expect(performance.now() - since).toBeGreaterThan(110)
})

it('repeats a failed announcement, after longer and longer pauses', async () => {
  const blocked = createBlockedAnnouncer({ firstMs: 20, maxMs: 1000 })
  blocked.announce(ann)
  const failure = new Error('no database')
  const since = performance.now()
  for (let index = 0; index < 2; index++) (await blocked.started(index)).fail(failure)
  ;(await blocked.started(2)).end()
  expect(performance.now() - since).toBeGreaterThan(40 + 80 - 10)
  expect(blocked.errors).toEqual([failure, failure])
})

it('announces at the stop what waits for a pause, and retries no failure', async () => {
  const blocked = createBlockedAnnouncer({ firstMs: 3_600_000, maxMs: 3_600_000 })
  blocked.announce(ann)
  blocked.announce(ann)
  ;(await blocked.started(0)).end()
  const stopped = blocked.stop()
  ;(await blocked.started(1)).fail(new Error('no database'))
  await stopped
  expect(blocked.users()).toEqual([ann, ann])
})
