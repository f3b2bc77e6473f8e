import type { PingId } from '@hither/contract/ids.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  nextPing,
  nextResponse,
  sendStateOf,
  type WaitingPing,
  type WaitingResponse,
  withChangedPing,
  without,
  withPing,
  withRetriedPing,
  withWaitingResponse,
} from './outbox.rules.ts'

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

describe('a waiting ping', () => {
  test('is expired after its duration has passed', () => {
    expect(sendStateOf(written('a'), 30 * minuteMs - 1)).toBe('waiting')
    expect(sendStateOf(written('a'), 30 * minuteMs)).toBe('expired')
    expect(nextPing([written('a')], 30 * minuteMs, nobody)).toBeUndefined()
  })

  test('without a duration has the default duration', () => {
    const { duration_minutes: _, ...input } = written('a').input
    const atMs = pingLimits.durationDefaultMinutes * minuteMs
    expect(sendStateOf({ ...written('a'), input }, atMs - 1)).toBe('waiting')
    expect(sendStateOf({ ...written('a'), input }, atMs)).toBe('expired')
  })

  test('that is scheduled is expired after its start, whatever its duration', () => {
    const activates_at = new Date(90 * minuteMs).toISOString()
    expect(sendStateOf(written('a', 0, { activates_at }), 89 * minuteMs)).toBe('waiting')
    expect(sendStateOf(written('a', 0, { activates_at }), 90 * minuteMs)).toBe('expired')
  })

  test('that the server has created is completed at any time', () => {
    const made = { id: 'x' as PingId, name: 'a', recipient_ids: [] }
    expect(nextPing([{ ...written('a'), made }], 1e9, nobody)).toMatchObject({ client_id: 'a' })
  })

  test('that is retried gets a new client_id and starts now if its start has passed', () => {
    const activates_at = new Date(90 * minuteMs).toISOString()
    const pings = [{ ...written('a', 0, { activates_at }), refusal: 'No' }]
    const again = (nowMs: number) => withRetriedPing(pings, 'a', { client_id: 'b', nowMs })[0]
    expect(again(60 * minuteMs)).toMatchObject({ client_id: 'b', refusal: null, input: { activates_at } })
    expect(again(100 * minuteMs)).toMatchObject({ written_at: 100 * minuteMs })
    expect(again(100 * minuteMs)?.input).not.toHaveProperty('activates_at')
  })

  test('that was discarded is not added again by a result', () => {
    expect(withChangedPing([], 'a', { refusal: 'No' })).toEqual([])
  })
})

/** Steps of a random run: a device with a queue, a connection that fails, and a server with a memory. */
type Step =
  | { does: 'write' | 'answer'; as: number }
  | { does: 'send'; line: 'gone' | 'answer lost' | 'whole' | 'refused' }
  | { does: 'reload' | 'wait' | 'discard' | 'again' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom('write' as const, 'answer' as const), as: fc.nat(2) }),
  fc.record({ does: fc.constant('send' as const), line: fc.constantFrom('gone', 'answer lost', 'whole', 'refused') }),
  fc.record({ does: fc.constantFrom('reload' as const, 'wait' as const, 'discard' as const, 'again' as const) }),
)

test('a random run of failures creates every ping at most once, in order and in time, and loses none', () => {
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
        if (does === 'again' && first && ['expired', 'refused'].includes(sendStateOf(first, nowMs))) {
          settled.add(first.client_id)
          const client_id = `ping ${++ids}`
          all.push(client_id)
          pings = withRetriedPing(pings, first.client_id, { client_id, nowMs })
        }
      }
      const offered = pings.filter((ping) => sendStateOf(ping, nowMs) !== 'waiting').map(({ client_id }) => client_id)
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

test('a random run of failures leaves the server with the last response to each ping and no further requests', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let answers: readonly WaitingResponse[] = []
      let ids = 0
      const server = new Map<string, string>()
      const last = new Map<string, string>()

      function send(line: string) {
        const next = nextResponse(answers, nobody)
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
        answers = withWaitingResponse(answers, { client_id, ping_id, ping_name: '', response_type: 'accepted' })
        expect(answers.filter((answer) => answer.ping_id === ping_id)).toHaveLength(1)
      }
      while (nextResponse(answers, nobody) !== undefined) send('whole')
      for (const [pingId, clientId] of last) expect(server.get(pingId)).toBe(clientId)
    }),
    { numRuns: 500 },
  )
})

test('an item that is being sent directly is not sent from the queue', () => {
  const sendingIds = new Set(['a'])
  expect(nextPing([written('a'), written('b')], 0, sendingIds)).toMatchObject({ client_id: 'b' })
  const answer = { client_id: 'a', ping_id: 'x' as PingId, ping_name: '', response_type: null }
  expect(nextResponse([answer], sendingIds)).toBeUndefined()
})

test('a response that is replaced while it is being sent leaves the later one in the queue', () => {
  const [first, second] = ['a', 'b'].map((client_id) => ({
    client_id,
    ping_id: 'x' as PingId,
    ping_name: '',
    response_type: null,
  })) as [WaitingResponse, WaitingResponse]
  expect(without(withWaitingResponse([first], second), 'a')).toEqual([second])
})
