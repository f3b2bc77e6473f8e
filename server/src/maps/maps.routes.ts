import * as contract from '@hither/contract/maps.ts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { hasAlready } from '../platform/content.ts'
import { type Routes } from '../platform/http.ts'
import { assertWithinLimits, type RateLimits } from '../platform/rate-limits.ts'
import { type Maps, type Tile } from './maps.service.ts'

export interface MapsRoutesDeps {
  readonly maps: Maps
  readonly publicUrl: string
  /** Of this node alone: a tile is not worth a question to another machine. */
  readonly rateLimits: RateLimits
}

export function addMapRoutes(
  http: FastifyInstance,
  routes: Routes,
  { maps, publicUrl, rateLimits }: MapsRoutesDeps,
): void {
  routes.add(contract.getOwnStreetMap, ({ params, reachedAt }) =>
    maps.getTileJson(params.name, originFor(reachedAt, publicUrl)),
  )
  addTileRoute(http, maps, rateLimits)
}

/** A proxy that is not told of may hide that the caller came by https: for its own address, the configured one is right. */
function originFor(reachedAt: string, publicUrl: string): string {
  if (!URL.canParse(reachedAt)) return publicUrl
  const { host, origin } = new URL(reachedAt)
  return host === new URL(publicUrl).host ? new URL(publicUrl).origin : origin
}

/** On its own: maps ask for tiles by the hundred, packed as they are, and may keep them for ever. */
function addTileRoute(http: FastifyInstance, maps: Maps, rateLimits: RateLimits): void {
  const { path, tag, summary, params, query } = contract.getOwnStreetTile
  type Ask = { Params: { name: string; z: number; x: number; y: number }; Querystring: { v?: string } }
  http.get<Ask>(
    `/api${path}`,
    {
      schema: { tags: [tag], summary, params, querystring: query },
      config: { isCounted: true },
      onRequest: async (request) => {
        const asking = { address: request.ip, userId: undefined, body: undefined }
        await assertWithinLimits(rateLimits, contract.getOwnStreetTile, contract.getOwnStreetTile.rateLimits, asking)
      },
    },
    async (request, reply) => {
      const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      const tile = await maps.getTile({ ...request.params, takesGzip })
      if (tile === null) return reply.status(204).header('cache-control', 'public, max-age=3600').send()
      return sendTile(request, reply, tile, request.query.v)
    },
  )
}

function sendTile(request: FastifyRequest, reply: FastifyReply, tile: Tile, version: string | undefined) {
  const { z, x, y } = request.params as { z: number; x: number; y: number }
  const etag = `"${tile.version}-${z}-${x}-${y}${tile.isGzipped ? '-gzip' : ''}"`
  const isForEver = version === tile.version
  reply
    .header('etag', etag)
    .header('cache-control', isForEver ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    .header('vary', 'origin, accept-encoding')
  if (hasAlready(request.headers['if-none-match'], etag)) return reply.status(304).send()
  if (tile.isGzipped) reply.header('content-encoding', 'gzip')
  return reply.type(contract.getOwnStreetTile.content).header('x-content-type-options', 'nosniff').send(tile.bytes)
}
