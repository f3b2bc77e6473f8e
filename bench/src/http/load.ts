import { Agent, request } from 'node:http'
import { type Call } from './workloads.ts'

/** What is called, over connections that stay open. */
export interface Target {
  call(call: Call): Promise<void>
  close(): void
}

/** The product, by its contract. */
export function productAt(url: string): Target {
  return targetOf(url, ({ operation, params, token, body }) => ({
    method: operation.method,
    path: `/api${operation.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body }),
  }))
}

/** The bare handler, which is told who asks. */
export function bareAt(url: string): Target {
  return targetOf(url, ({ workload, body, inputs }) =>
    body
      ? { method: 'POST', path: `/${workload}`, headers: {}, body: inputs }
      : { method: 'GET', path: `/${workload}?${new URLSearchParams(inputs as Record<string, string>)}`, headers: {} },
  )
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: object
}

function targetOf(url: string, sentFor: (call: Call) => Sent): Target {
  const { hostname: host, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    call: (call) =>
      new Promise((resolve, reject) => {
        const { method, path, headers, body } = sentFor(call)
        const text = body && JSON.stringify(body)
        const asked = request({
          agent,
          host,
          port,
          method,
          path,
          headers: {
            ...headers,
            ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        })
        asked.once('error', reject)
        asked.once('response', (answer) => {
          const isFine = answer.statusCode !== undefined && answer.statusCode < 300
          if (isFine) answer.resume()
          else answer.once('data', (data) => reject(new Error(`${path} answered ${answer.statusCode}: ${data}`)))
          answer.once('end', resolve)
        })
        asked.end(text)
      }),
    close: () => agent.destroy(),
  }
}

/** So many at a time, each sending its next call once it has its answer. Answers how many were answered. */
export async function closedLoop(target: Target, next: () => Call, atOnce: number, forMs: number): Promise<number> {
  const end = performance.now() + forMs
  let answered = 0
  const work = async () => {
    while (performance.now() < end) {
      await target.call(next())
      answered++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return answered
}

/** So many a second, whether or not the ones before were answered. Milliseconds from when each was due, in ascending order. */
export async function openLoop(target: Target, next: () => Call, perSecond: number, forMs: number): Promise<number[]> {
  const startedAt = performance.now()
  const latencies: number[] = []
  const underWay: Promise<void>[] = []
  for (let index = 0; index < (forMs / 1000) * perSecond; index++) {
    const dueAt = startedAt + (index * 1000) / perSecond
    const wait = dueAt - performance.now()
    if (wait > 0.5) await new Promise((resolve) => setTimeout(resolve, wait))
    underWay.push(target.call(next()).then(() => void latencies.push(performance.now() - dueAt)))
  }
  await Promise.all(underWay)
  return latencies.sort((a, b) => a - b)
}

/** Of values in ascending order. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
