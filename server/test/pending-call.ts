import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

/** A call that the server has begun to handle, and whose body it waits for. */
interface PendingCall {
  /** Sends the body and resolves to the status. */
  finish(): Promise<number | undefined>
}

/** Begins a call with this access token. Resolves when the server has received its head. */
export async function beginCall(url: string, token: string, content: object, method = 'POST'): Promise<PendingCall> {
  const body = JSON.stringify(content)
  const call = request(url, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // The server confirms that it has the head of the call.
      expect: '100-continue',
    },
  })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  // Prevents an unhandled rejection before `finish` waits for the response.
  answered.catch(() => undefined)
  call.flushHeaders()
  await once(call, 'continue')
  return {
    async finish() {
      call.end(body)
      const [answer] = await answered
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode
    },
  }
}
