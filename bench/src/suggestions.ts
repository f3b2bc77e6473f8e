import type { Circle } from '@hither/contract/circles.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { recordOf } from '../../web/src/pings/pin-records/pin-records.rules.ts'
import { suggestionsOf } from '../../web/src/pings/suggestions/suggestions.rules.ts'

/** Measures the CPU time in which Home computes its suggestions from `PINGS` own pings of the last 30 days. */
const pingsCount = Number(process.env['PINGS'] ?? 1000)
const rounds = Number(process.env['ROUNDS'] ?? 200)
const dayMs = 86_400_000
const nowMs = Date.now()

const friendIds = Array.from({ length: 100 }, (_, n) => `friend ${n}` as UserId)
const circles = Array.from({ length: 20 }, (_, n) => ({
  id: `circle ${n}` as CircleId,
  name: `Circle ${n}`,
  member_ids: friendIds.slice(n * 5, n * 5 + 10),
})) as unknown as Circle[]
const addressees = { friendIds: new Set(friendIds), circles }
const records = Array.from({ length: pingsCount }, (_, n) => recordOf(pingOf(n)))

// The first round is that of a page, which has not run the code before.
const times = Array.from({ length: rounds }, () => {
  const before = process.cpuUsage()
  suggestionsOf(records, addressees, nowMs)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
})
const sorted = [...times].sort((a, b) => a - b)
const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(2)
process.stdout.write(
  [
    `suggestions from ${pingsCount} pings: first ${times[0]?.toFixed(2)} ms, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`,
    '  goal: below 10 ms',
    '',
  ].join('\n'),
)

/** A third of the pings is for all friends, a third for circles and a third for people; 100 names. */
function pingOf(n: number): OwnPing {
  const createdMs = nowMs - ((n * 7919) % 30_000) * (dayMs / 1000) - 3_600_000
  const isForCircle = n % 3 === 1
  return {
    id: `ping ${n}`,
    access: 'owner',
    name: `Pin ${n % 100}`,
    latitude: 40.7 + (n % 10) / 1000,
    longitude: -74,
    created_at: new Date(createdMs).toISOString(),
    activates_at: null,
    expires_at: new Date(createdMs + 1_800_000).toISOString(),
    updated_at: new Date(createdMs).toISOString(),
    canceled_at: null,
    is_public: false,
    invited_all: n % 3 === 0,
    audience: {
      circle_ids: isForCircle ? [`circle ${n % 20}`] : [],
      recipient_ids: n % 3 === 2 ? friendIds.slice(0, 5) : [],
      former_friend_count: 0,
    },
    recipients: [],
    conversation_id: null,
  } as unknown as OwnPing
}
