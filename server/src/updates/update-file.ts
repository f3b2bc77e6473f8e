import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'

/** What the file of the newest release says. */
export interface Release {
  readonly version: string
  readonly notes_url: string
}

/** The file could not be read. The message has no address in it. */
export class NoRelease extends Error {
  override name = 'NoRelease'
}

const bytesMax = 16 * 1024
const withinMs = 5000
const versionPattern = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/

/**
 * Reads `latest.json` of a release: follows no redirect and sends nothing that tells this server from another one. Throws
 * `NoRelease` for everything but a complete file of at most 16 KB within five seconds.
 */
export async function readRelease(url: string): Promise<Release> {
  try {
    const response = await get(url)
    if (response.statusCode !== 200) {
      response.destroy()
      throw new NoRelease(`status ${response.statusCode}`)
    }
    return parseRelease(await textOf(response))
  } catch (error) {
    if (error instanceof NoRelease) throw error
    throw new NoRelease((error as NodeJS.ErrnoException).code ?? (error as Error).name)
  }
}

/** Whether a version is newer than another one, both as `1.2.3`. */
export function isNewer(version: string, other: string): boolean {
  const [parts, others] = [partsOf(version), partsOf(other)]
  const place = parts.findIndex((part, index) => part !== others[index])
  return place !== -1 && (parts[place] ?? 0) > (others[place] ?? 0)
}

function partsOf(version: string): number[] {
  return (versionPattern.exec(version) ?? []).slice(1).map(Number)
}

function get(url: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  // Node's plain request follows no redirect and sends no header about itself.
  request(url, { agent: false, signal: AbortSignal.timeout(withinMs) }, resolve)
    .on('error', reject)
    .end()
  return promise
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new NoRelease('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseRelease(text: string): Release {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new NoRelease('no JSON')
  }
  const { version, notes_url } = (parsed ?? {}) as Partial<Record<keyof Release, unknown>>
  if (typeof version !== 'string' || !versionPattern.test(version)) throw new NoRelease('no version')
  // The page is a link of a screen.
  const isPage = typeof notes_url === 'string' && notes_url.length <= 500 && URL.canParse(notes_url)
  if (!isPage || new URL(notes_url).protocol !== 'https:') throw new NoRelease('no address of notes')
  return { version, notes_url }
}
