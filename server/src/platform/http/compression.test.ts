import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { createServer } from './server.ts'

let app: FastifyInstance

/** A response of this many bytes. */
const bodyOf = (bytes: number) => JSON.stringify('ab'.repeat(bytes / 2 - 1))

beforeAll(async () => {
  app = await createServer(readConfig({}), pino({ level: 'silent' }))
  app.get<{ Params: { bytes: string } }>('/api/bytes/:bytes', async ({ params }, reply) =>
    reply.type('application/json; charset=utf-8').send(bodyOf(Number(params.bytes))),
  )
})

afterAll(() => app.close())

async function get(bytes: number, encodings?: string) {
  const headers = encodings === undefined ? {} : { 'accept-encoding': encodings }
  const { headers: sent, rawPayload } = await app.inject({ url: `/api/bytes/${bytes}`, headers })
  return { encoding: sent['content-encoding'], length: sent['content-length'], vary: sent['vary'], body: rawPayload }
}

const browser = 'gzip, deflate, br, zstd'

describe('compression of responses', () => {
  it('uses Brotli for a browser', async () => {
    const { encoding, vary, body, length } = await get(20_000, browser)
    expect(encoding).toBe('br')
    expect(vary).toContain('accept-encoding')
    expect(brotliDecompressSync(body).toString()).toBe(bodyOf(20_000))
    expect(Number(length)).toBe(body.length)
  })

  it('uses gzip for a client that accepts no Brotli', async () => {
    const { encoding, body } = await get(20_000, 'gzip, deflate')
    expect(encoding).toBe('gzip')
    expect(gunzipSync(body).toString()).toBe(bodyOf(20_000))
  })

  it.each([undefined, 'identity', 'br;q=0'])(
    'sends a client with accept-encoding %s the plain bytes',
    async (accepted) => {
      const { encoding, body } = await get(20_000, accepted)
      expect(encoding).toBeUndefined()
      expect(body.toString()).toBe(bodyOf(20_000))
    },
  )

  it('leaves out responses below 1400 bytes', async () => {
    expect(await get(1398, browser)).toMatchObject({ encoding: undefined })
    expect(await get(1400, browser)).toMatchObject({ encoding: 'br' })
  })

  it('compresses responses above 128 KB as a stream, without a length', async () => {
    const { encoding, body, length } = await get(200_000, browser)
    expect({ encoding, length }).toEqual({ encoding: 'br', length: undefined })
    expect(brotliDecompressSync(body).toString()).toBe(bodyOf(200_000))
  })
})
