import { Agent, request } from 'node:http'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import type { Call } from './workloads.ts'

/** A server under load, called over keep-alive connections. */
export interface Target {
  call(call: Call): Promise<void>
  close(): void
}

/**
 * The headers that Chromium sends with a call of the web app, on both sides of every comparison. Without them the product
 * would not compress its responses, as it does for every browser.
 */
const browserHeaders = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  referer: 'http://127.0.0.1/',
  'sec-ch-ua': '"Chromium";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
}

/** The product, called by its contract. `encodings` replaces the encodings that a browser accepts. */
export function productAt(url: string, encodings: string = browserHeaders['accept-encoding']): Target {
  return targetOf(url, ({ operation, params, query, token, body }) => ({
    method: splitAddress(operation.address).method,
    path: `/api${filledPath(operation.address, params)}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { 'accept-encoding': encodings, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body && { body }),
  }))
}

/** The bare handler, which receives the user id with the call. */
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
            ...browserHeaders,
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

/** Runs `atOnce` clients, each of which sends its next call after the previous response. Returns the number of responses. */
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

/** Sends calls at a fixed rate, independent of responses. Returns the latencies in milliseconds from the scheduled times, in ascending order. */
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

/** The percentile of values in ascending order. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
