import type { FriendshipId, PingId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/translate.ts'
import { pingsToShow } from './new-friend.rules.ts'

const bob = 'bob' as UserId
const nowMs = Date.parse('2026-11-21T12:00:00.000Z')

function pingOf(id: string, changes: Partial<OwnPing> = {}): OwnPing {
  return {
    ...{ id: id as PingId, invited_all: true, recipients: [], canceled_at: null },
    ...{ created_at: '2026-11-21T11:00:00.000Z', activates_at: null, expires_at: '2026-11-21T12:30:00.000Z' },
    ...changes,
  } as OwnPing
}

test('offers scheduled and active pings that went to all friends and that the friend does not see yet', () => {
  const pings = [
    pingOf('active'),
    pingOf('scheduled', { activates_at: '2026-11-21T12:20:00.000Z' }),
    pingOf('selected', { invited_all: false }),
    pingOf('over', { expires_at: '2026-11-21T11:59:00.000Z' }),
    pingOf('canceled', { canceled_at: '2026-11-21T11:59:00.000Z' }),
    pingOf('invited', { recipients: [{ recipient_id: bob }] as OwnPing['recipients'] }),
    pingOf('temp-1'),
  ]
  expect(pingsToShow(pings, bob, nowMs).map(({ id }) => id)).toEqual(['active', 'scheduled'])
})

test('names the number of pings', () => {
  expect(t('pings.newFriend.question', { name: 'bob', count: 2 })).toBe('Show bob your 2 live pins?')
  expect(t('pings.newFriend.question', { name: 'bob', count: 1 })).toBe('Show bob your live pin?')
})

/** Another tab of the same device: other modules, the same storage. */
async function openTab() {
  vi.resetModules()
  return (await import('./asked-friendships.ts')).claimQuestion
}

const [first, second] = ['f1', 'f2'] as FriendshipId[] as [FriendshipId, FriendshipId]

beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
  })
  return () => vi.unstubAllGlobals()
})

test('asks about a friendship in one tab of a device, once', async () => {
  const [claim, claimElsewhere] = [await openTab(), await openTab()]
  const claims = await Promise.all([claim(first), claimElsewhere(first), claim(first)])
  expect(claims).toEqual([true, false, false])
  expect(await claimElsewhere(second)).toBe(true)
  expect(await (await openTab())(second)).toBe(false)
})

test('asks once without storage too', async () => {
  vi.stubGlobal('localStorage', undefined)
  const claim = await openTab()
  expect([await claim(first), await claim(first)]).toEqual([true, false])
})
