import { ownAnswerHeader } from '@hither/contract/runtime/own-answer.ts'
import { limitTime, responseWithinMs } from '../device/time-limit.ts'
import { parseJson, unreachable } from './api-error.ts'
import { noteServerDate } from './server-time.ts'

interface Wanted extends RequestInit {
  signal?: AbortSignal | null
  /** The beginning of the content type of a success. */
  type: 'application/json' | 'image/' | 'text/calendar'
}

interface Answer {
  response: Response
  /** Empty for JSON. */
  content: Blob
  /** The parsed content; undefined if it is not JSON. */
  body: unknown
}

/** Makes a request to the server. Throws `unreachable()` without a response in time, and if it was not Hither that responded. */
export async function request(address: string, { type, ...init }: Wanted): Promise<Answer> {
  const limit = limitTime(responseWithinMs, init.signal)
  const sentAtMs = Date.now()
  try {
    const response = await fetch(address, { ...init, credentials: 'omit', signal: limit.signal })
    const receivedAtMs = Date.now()
    const isJson = type === 'application/json' || !response.ok
    const body = isJson ? parseJson(await response.text()) : undefined
    const content = isJson ? new Blob() : await contentOf(response, limit.restart)
    if (!isOwnAnswer(response, body, type)) throw unreachable()
    noteServerDate(response.headers.get('Date'), sentAtMs, receivedAtMs)
    return { response, content, body }
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw unreachable()
  } finally {
    limit.end()
  }
}

/**
 * Whether Hither itself has responded, and not the sign-in page of a network or a proxy whose server is away. Servers of earlier
 * versions do not send the header.
 */
export function isOwnAnswer(
  { status, headers }: { status: number; headers: Pick<Headers, 'get'> },
  body: unknown,
  type: Wanted['type'] = 'application/json',
): boolean {
  const isMarked = headers.get(ownAnswerHeader) !== null
  if (status === 204) return true
  if (status >= 200 && status < 300) {
    if (type === 'application/json') return body !== undefined
    return isMarked || (headers.get('Content-Type') ?? '').startsWith(type)
  }
  return isMarked || (typeof body === 'object' && body !== null && 'detail' in body)
}

async function contentOf(response: Response, onPart: () => void): Promise<Blob> {
  const parts: BlobPart[] = []
  const reader = response.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part?.value === undefined) break
    onPart()
    parts.push(part.value)
  }
  return new Blob(parts, { type: response.headers.get('Content-Type') ?? '' })
}
