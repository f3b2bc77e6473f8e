import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { NodeProcess } from './node-process.ts'

/** A call without a response or a closed connection within this time is a fault. */
const callWithinMs = 10_000
const retryPauseMs = 100
const settleWithinMs = 45_000

export interface Person {
  readonly id: UserId
  readonly username: string
  readonly email: string
  token: string
}

/** `cut`: the connection closed before the response. `hung`: nothing happened within ten seconds. */
type Outcome = { readonly status: number; readonly body: unknown } | 'cut' | 'hung'

/** Sends one request without retries. Never rejects. */
export async function callOnce(
  origin: string,
  method: string,
  path: string,
  { body, token }: { body?: unknown; token?: string | undefined } = {},
): Promise<Outcome> {
  try {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callWithinMs),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'hung' : 'cut'
  }
}

interface Settled {
  readonly status: number
  readonly body: unknown
  /** Whether an earlier attempt without a response may have taken effect. */
  readonly isDoubtful: boolean
}

interface Counts {
  acknowledged: number
  refused: number
  /** The number of repeated attempts. */
  repeated: number
}

export interface Api {
  readonly counts: Counts
  readonly faults: string[]
  /**
   * Repeats a call at the other node until it gets a response, as the app does. Resolves with `null` and records a fault if
   * an attempt hung or all attempts together took too long.
   */
  settle(person: Person | null, method: string, path: string, body?: unknown): Promise<Settled | null>
  /** Like `settle`, for a call that must succeed. Throws `CallError` if it does not. */
  get<T>(person: Person | null, path: string): Promise<T>
  send<T>(person: Person | null, method: string, path: string, body?: unknown): Promise<T>
}

export function createApi({ nodes }: { readonly nodes: readonly NodeProcess[] }): Api {
  const counts = { acknowledged: 0, refused: 0, repeated: 0 }
  const faults: string[] = []
  let turn = 0

  async function settle(person: Person | null, method: string, path: string, body?: unknown): Promise<Settled | null> {
    const startedAt = performance.now()
    let node = turn++
    let isDoubtful = false
    while (performance.now() - startedAt < settleWithinMs) {
      const at = nodes[node % nodes.length] as NodeProcess
      const outcome = await callOnce(at.origin, method, path, { body, token: person?.token })
      if (outcome === 'hung') {
        faults.push(`${method} ${path} hung: no answer from ${at.name} within 10 s`)
        return null
      }
      if (outcome !== 'cut' && outcome.status !== 503) {
        if (outcome.status >= 500)
          faults.push(`${method} ${path} was answered with ${outcome.status}: ${JSON.stringify(outcome.body)}`)
        if (method !== 'GET') counts[outcome.status < 300 ? 'acknowledged' : 'refused']++
        return { ...outcome, isDoubtful }
      }
      isDoubtful = true
      if (method !== 'GET') counts.repeated++
      node++
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs))
    }
    faults.push(`${method} ${path} was neither answered nor refused within 45 s of attempts`)
    return null
  }

  async function send<T>(person: Person | null, method: string, path: string, body?: unknown): Promise<T> {
    const settled = await settle(person, method, path, body)
    if (!settled || settled.status >= 300)
      throw new CallError(
        settled?.status ?? 0,
        `${method} ${path}: ${settled?.status} ${JSON.stringify(settled?.body)}`,
      )
    return settled.body as T
  }

  return { counts, faults, settle, send, get: (person, path) => send(person, 'GET', path) }
}

export class CallError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const password = 'correct horse battery'

/** Signs up users and makes all of them friends of each other. */
export async function createPeople(api: Api, usernames: readonly string[]): Promise<Person[]> {
  const people: Person[] = []
  for (const username of usernames) {
    const email = `${username}@example.org`
    const session = await api.send<AuthSession>(null, 'POST', '/auth/signup', { email, password, username })
    people.push({ id: session.user.id, username, email, token: session.access_token })
  }
  for (const [index, person] of people.entries())
    for (const other of people.slice(0, index)) {
      const { id } = await api.send<{ id: string }>(person, 'POST', '/friends/request', { username: other.username })
      await api.send(other, 'PATCH', `/friends/${id}/respond`, { action: 'accepted' })
    }
  return people
}

/** Signs in every user again, for new access tokens. */
export async function signInAgain(api: Api, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    const { email } = person
    person.token = (await api.send<AuthSession>(null, 'POST', '/auth/login', { email, password })).access_token
  }
}
