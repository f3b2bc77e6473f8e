import { type PingId } from '@hither/contract/ids.ts'
import { pingLimits } from '@hither/contract/pings.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nextAnswer,
  nextPing,
  standingOf,
  type WaitingAnswer,
  type WaitingPing,
  withAnswer,
  withChangedPing,
  without,
  withPing,
  withPingAgain,
} from './waiting.rules.ts'

const minuteMs = 60_000
const nobody: ReadonlySet<string> = new Set()

function written(client_id: string, written_at = 0, input: Partial<WaitingPing['input']> = {}): WaitingPing {
  return {
    client_id,
    written_at,
    input: { name: client_id, latitude: 0, longitude: 0, duration_minutes: 30, ...input },
    image: null,
    wants_chat: false,
    refusal: null,
    made: null,
  }
}

describe('a pin that waits', () => {
  test('is late once the time it was to last has passed', () => {
    expect(standingOf(written('a'), 30 * minuteMs - 1)).toBe('waiting')
    expect(standingOf(written('a'), 30 * minuteMs)).toBe('late')
    expect(nextPing([written('a')], 30 * minuteMs, nobody)).toBeUndefined()
  })

  test('lasts as long as a ping does that says nothing about it', () => {
    const { duration_minutes: _, ...input } = written('a').input
    const atMs = pingLimits.durationDefaultMinutes * minuteMs
    expect(standingOf({ ...written('a'), input }, atMs - 1)).toBe('waiting')
    expect(standingOf({ ...written('a'), input }, atMs)).toBe('late')
  })

  test('is late once its date has passed, however long it was to last', () => {
    const activates_at = new Date(90 * minuteMs).toISOString()
    expect(standingOf(written('a', 0, { activates_at }), 89 * minuteMs)).toBe('waiting')
    expect(standingOf(written('a', 0, { activates_at }), 90 * minuteMs)).toBe('late')
  })

  test('is finished however late, once the server has it', () => {
    const made = { id: 'x' as PingId, name: 'a', recipient_ids: [] }
    expect(nextPing([{ ...written('a'), made }], 1e9, nobody)).toMatchObject({ client_id: 'a' })
  })

  test('begins anew when it is dropped again: from now, as another, and at once where its date has passed', () => {
    const activates_at = new Date(90 * minuteMs).toISOString()
    const pings = [{ ...written('a', 0, { activates_at }), refusal: 'No' }]
    const again = (nowMs: number) => withPingAgain(pings, 'a', { client_id: 'b', nowMs })[0]
    expect(again(60 * minuteMs)).toMatchObject({ client_id: 'b', refusal: null, input: { activates_at } })
    expect(again(100 * minuteMs)).toMatchObject({ written_at: 100 * minuteMs })
    expect(again(100 * minuteMs)?.input).not.toHaveProperty('activates_at')
  })

  test('that was discarded meanwhile does not come back by what is learned of it', () => {
    expect(withChangedPing([], 'a', { refusal: 'No' })).toEqual([])
  })
})

/** The whole way, as far as the rules go: a device that keeps what `kept` holds, a line that fails, a server that remembers. */
type Step =
  | { does: 'write' | 'answer'; as: number }
  | { does: 'send'; line: 'gone' | 'answer lost' | 'whole' | 'refused' }
  | { does: 'reload' | 'wait' | 'discard' | 'again' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom('write' as const, 'answer' as const), as: fc.nat(2) }),
  fc.record({ does: fc.constant('send' as const), line: fc.constantFrom('gone', 'answer lost', 'whole', 'refused') }),
  fc.record({ does: fc.constantFrom('reload' as const, 'wait' as const, 'discard' as const, 'again' as const) }),
)

test('whatever happens on the way, every pin is made once at most, in order, in time, and none gets lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [nowMs, ids] = [0, 0]
      let pings: readonly WaitingPing[] = []
      const server: { client_id: string; madeMs: number; writtenMs: number }[] = []
      const settled = new Set<string>()
      const all: string[] = []

      function send(line: string) {
        const next = nextPing(pings, nowMs, nobody)
        if (next === undefined || line === 'gone') return
        const isKnown = server.some(({ client_id }) => client_id === next.client_id)
        if (line === 'refused' && !isKnown) {
          pings = withChangedPing(pings, next.client_id, { refusal: 'No' })
          return
        }
        if (!isKnown) server.push({ client_id: next.client_id, madeMs: nowMs, writtenMs: next.written_at })
        if (line !== 'answer lost') {
          pings = without(pings, next.client_id)
          settled.add(next.client_id)
        }
      }

      for (const { does, ...rest } of steps) {
        nowMs += minuteMs
        if (does === 'write') {
          const ping = written(`ping ${++ids}`, nowMs)
          all.push(ping.client_id)
          pings = withPing(pings, ping)
        }
        if (does === 'send' && 'line' in rest) send(rest.line)
        if (does === 'reload') pings = structuredClone(pings)
        if (does === 'wait') nowMs += 20 * minuteMs
        const [first] = pings
        if (does === 'discard' && first) {
          pings = without(pings, first.client_id)
          settled.add(first.client_id)
        }
        if (does === 'again' && first && ['late', 'refused'].includes(standingOf(first, nowMs))) {
          settled.add(first.client_id)
          const client_id = `ping ${++ids}`
          all.push(client_id)
          pings = withPingAgain(pings, first.client_id, { client_id, nowMs })
        }
      }
      const offered = pings.filter((ping) => standingOf(ping, nowMs) !== 'waiting').map(({ client_id }) => client_id)
      while (nextPing(pings, nowMs, nobody) !== undefined) send('whole')

      const made = server.map(({ client_id }) => client_id)
      expect(new Set(made).size).toBe(made.length)
      expect(server.filter(({ madeMs, writtenMs }) => madeMs >= writtenMs + 30 * minuteMs)).toEqual([])
      expect(pings.map(({ client_id }) => client_id)).toEqual(offered)
      for (const client_id of all) expect(settled.has(client_id) || offered.includes(client_id)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('whatever happens on the way, the server ends with the last answer to each ping, and is asked no more after that', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let answers: readonly WaitingAnswer[] = []
      let ids = 0
      const server = new Map<string, string>()
      const last = new Map<string, string>()

      function send(line: string) {
        const next = nextAnswer(answers, nobody)
        if (next === undefined || line === 'gone') return
        if (line !== 'refused') server.set(next.ping_id, next.client_id)
        else if (last.get(next.ping_id) === next.client_id) last.delete(next.ping_id)
        if (line !== 'answer lost') answers = without(answers, next.client_id)
      }

      for (const { does, ...rest } of steps) {
        if (does === 'send' && 'line' in rest) send(rest.line)
        if (does === 'reload') answers = structuredClone(answers)
        if (does !== 'answer' || !('as' in rest)) continue
        const ping_id = `ping ${rest.as}` as PingId
        const client_id = `answer ${++ids}`
        last.set(ping_id, client_id)
        answers = withAnswer(answers, { client_id, ping_id, ping_name: '', response_type: 'accepted' })
        expect(answers.filter((answer) => answer.ping_id === ping_id)).toHaveLength(1)
      }
      while (nextAnswer(answers, nobody) !== undefined) send('whole')
      for (const [pingId, clientId] of last) expect(server.get(pingId)).toBe(clientId)
    }),
    { numRuns: 500 },
  )
})

test('what is in hand is not sent from the queue as well', () => {
  const inHand = new Set(['a'])
  expect(nextPing([written('a'), written('b')], 0, inHand)).toMatchObject({ client_id: 'b' })
  const answer = { client_id: 'a', ping_id: 'x' as PingId, ping_name: '', response_type: null }
  expect(nextAnswer([answer], inHand)).toBeUndefined()
})

test('an answer that was replaced while it was being sent leaves the later one in its place', () => {
  const [first, second] = ['a', 'b'].map((client_id) => ({
    client_id,
    ping_id: 'x' as PingId,
    ping_name: '',
    response_type: null,
  })) as [WaitingAnswer, WaitingAnswer]
  expect(without(withAnswer([first], second), 'a')).toEqual([second])
})
