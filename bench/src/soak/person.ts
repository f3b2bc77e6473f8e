import { type AuthSession, login, logout, refresh, signup } from '@hither/contract/auth/auth.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { CallInput, Operation, Reply } from '@hither/contract/operation.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import type { Report } from './report.ts'
import type { Target } from './target.ts'

const password = 'correct horse battery'

/** A simulated user with their own network address, sent in the headers of a proxy. */
export interface Person {
  readonly index: number
  readonly id: UserId
  readonly username: string
  session(): AuthSession | null
  /** Returns `null` and records a violation if the status is not among `expected`. */
  call<O extends Operation>(
    operation: O,
    input: CallInput<O>,
    expected?: readonly number[],
  ): Promise<{ status: number; body: Reply<O> } | null>
  upload(path: string, picture: Uint8Array<ArrayBuffer>): Promise<boolean>
  /** Resolves with the bytes of a picture, or `null` for a 404. */
  picture(path: string): Promise<ArrayBuffer | null>
  signIn(): Promise<void>
  refresh(): Promise<void>
  signOut(): Promise<void>
}

export async function signUp(target: Target, report: Report, index: number): Promise<Person> {
  const username = `p${String(index).padStart(3, '0')}`
  const email = `${username}@example.org`
  const address = `10.0.${index >> 8}.${(index & 255) + 1}`
  let session: AuthSession | null = null

  async function ask(path: string, init: RequestInit, expected: readonly number[]): Promise<Response | null> {
    const name = `${init.method} ${path.replace(/[0-9a-f-]{36}/g, ':id').replace(/\?.*/, '')}`
    const startedAt = performance.now()
    try {
      const response = await fetch(`${target.nextUrl()}/api${path}`, {
        ...init,
        headers: {
          ...(session && { authorization: `Bearer ${session.access_token}` }),
          ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
          'x-forwarded-for': address,
        },
        signal: AbortSignal.timeout(30_000),
      })
      report.answered(name, response.status, performance.now() - startedAt)
      if (expected.includes(response.status)) return response
      report.violation('answer', `${name} as ${username} answered ${response.status}: ${await response.text()}`)
    } catch (error) {
      report.violation('no answer', `${name} as ${username}: ${error}`)
    }
    return null
  }

  const call: Person['call'] = async (operation, input, expected = [200, 201, 204]) => {
    const { params = {}, query, body } = input as Record<string, Record<string, string> | undefined>
    const path = filledPath(operation.address, params)
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const init = {
      method: splitAddress(operation.address).method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await ask(`${path}${search}`, init, expected)
    if (!response) return null
    const text = await response.text()
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Reply<typeof operation> }
  }

  async function enter(answer: { body: unknown } | null): Promise<AuthSession> {
    if (!answer) throw new Error(`${username} could not sign in`)
    session = answer.body as AuthSession
    return session
  }

  const { user } = await enter(await call(signup, { body: { email, password, username } }))
  return {
    index,
    id: user.id,
    username,
    session: () => session,
    call,
    async upload(path, picture) {
      const body = new FormData()
      body.append('file', new Blob([picture], { type: 'image/jpeg' }), 'photo.jpg')
      return (await ask(path, { method: 'POST', body }, [200])) !== null
    },
    async picture(path) {
      const response = await ask(path, { method: 'GET' }, [200, 404])
      const bytes = await response?.arrayBuffer()
      return response?.status === 200 ? (bytes ?? null) : null
    },
    async signIn() {
      await enter(await call(login, { body: { email, password } }))
    },
    async refresh() {
      if (session) await enter(await call(refresh, { body: { refresh_token: session.refresh_token } }))
    },
    async signOut() {
      const token = session?.access_token
      session = null
      if (token !== undefined) await call(logout, { body: { access_token: token } })
    },
  }
}
