import type { SessionId } from '@hither/contract/ids.ts'
import { expect, test } from 'vitest'
import { createLocalBus } from '../../platform/events/bus.ts'
import { recentEventsLimits } from '../../platform/events/recent-events.ts'
import type { ResumePosition } from '../../platform/events/resumption.ts'
import { ann, bob, inserted, userRow } from '../harness.ts'
import { bindingSetOf } from './binding-sets.ts'
import { createHub } from './hub.ts'
import { createSubscriptions, subscriptionLimits } from './subscriptions.ts'

const sweepMs = 8000

/** The subscriptions of a node whose client is connected, with the positions that each sweep stores. */
async function connected() {
  let time = 0
  let isStoring = true
  const stored: ResumePosition[] = []
  const hub = createHub()
  const bus = createLocalBus((error) => {
    throw error
  })
  const resumption = {
    async save(positions: readonly ResumePosition[]) {
      stored.push(...positions)
      return isStoring
    },
    find: async () => null,
    remove: async () => {},
    catchUp: async () => {},
    position: () => `#${time}`,
    since: () => [],
  }
  const onError = (error: unknown) => {
    throw error
  }
  const subscriptions = createSubscriptions({
    hub,
    bus,
    resumption,
    now: () => new Date(time),
    placeKeepMs: 86_400_000,
    onError,
  })
  const request = {
    caller: { userId: ann, sessionId: 'session' as SessionId, expiresAt: Number.POSITIVE_INFINITY },
    clientId: 'tab',
    topic: 'realtime:people',
    bindings: bindingSetOf('2.0.0', [{ event: '*', schema: 'public', table: 'users' }]),
    resumeAfter: null,
  }
  const { subscription, ready } = subscriptions.open(request)
  await ready
  subscription.attach({ mayReceive: () => true, sendChange() {}, onBroken() {} })
  subscription.flush()
  return {
    hub,
    subscription,
    /** Returns the positions that the next sweep stores. */
    async sweep() {
      time += sweepMs
      stored.length = 0
      subscriptions.sweep()
      await Promise.resolve()
      return stored.map(({ position }) => position)
    },
    failToStore(fails: boolean) {
      isStoring = !fails
    },
    receive(committedAt: string) {
      hub.publish([{ ...inserted(userRow(bob), [ann]), committedAt }])
      subscription.log.ack(subscription.log.sentSeq)
    },
  }
}

test('a resume position is stored if the client has received a change or the position is about to expire', async () => {
  const { receive, sweep } = await connected()
  // The notice that the client must refetch everything is acknowledged with the first change.
  receive('2026-11-21T12:00:00.000001Z')
  expect(await sweep()).toEqual(['#8000'])
  expect([await sweep(), await sweep(), await sweep(), await sweep()]).toEqual([[], [], [], []])
  expect(await sweep()).toEqual(['#48000'])
  receive('2026-11-21T12:00:00.000002Z')
  expect(await sweep()).toEqual(['#56000'])
  expect(await sweep()).toEqual([])
})

test('a resume position that could not be stored is stored by the next sweep', async () => {
  const { receive, sweep, failToStore } = await connected()
  receive('2026-11-21T12:00:00.000001Z')
  failToStore(true)
  expect(await sweep()).toEqual(['#8000'])
  failToStore(false)
  expect(await sweep()).toEqual(['#16000'])
  expect(await sweep()).toEqual([])
})

test('the events after a stored position are in memory until the resume window of its client has passed', () => {
  const oldestMs = subscriptionLimits.refreshMs + sweepMs + subscriptionLimits.windowMs
  expect(oldestMs).toBeLessThan(recentEventsLimits.maxAgeMs)
})
