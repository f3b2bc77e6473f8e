import * as contract from '@hither/contract/maps.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../platform/http/content.ts'
import { assertWithinLimits, type RateLimits } from '../platform/http/rate-limits.ts'
import type { Routes } from '../platform/http/routes.ts'
import type { Maps, Tile } from './maps.service.ts'

interface MapsRoutesDeps {
  readonly maps: Maps
  readonly publicUrl: string
  /** Rate limits of this node only: a shared limit would cost a network request per tile. */
  readonly rateLimits: RateLimits
}

export function addMapRoutes(
  http: FastifyInstance,
  routes: Routes,
  { maps, publicUrl, rateLimits }: MapsRoutesDeps,
): void {
  routes.add(contract.getOwnStreetMap, ({ params, requestOrigin }) =>
    maps.getTileJson(params.name, originFor(requestOrigin, publicUrl)),
  )
  addTileRoute(http, maps, rateLimits)
}

/**
 * A proxy that does not forward the protocol may hide that the caller used https. For the configured host, the
 * configured URL is right.
 */
function originFor(requestOrigin: string, publicUrl: string): string {
  if (!URL.canParse(requestOrigin)) return publicUrl
  const { host, origin } = new URL(requestOrigin)
  return host === new URL(publicUrl).host ? new URL(publicUrl).origin : origin
}

/**
 * A plugin of its own without response compression: maps request hundreds of tiles, stored compressed, and may cache
 * them forever.
 */
function addTileRoute(http: FastifyInstance, maps: Maps, rateLimits: RateLimits): void {
  const { address, tag, summary, params, query } = contract.getOwnStreetTile
  type Ask = { Params: { name: string; z: number; x: number; y: number }; Querystring: { v?: string } }
  http.get<Ask>(
    `/api${splitAddress(address).path}`,
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
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  if (tile.isGzipped) reply.header('content-encoding', 'gzip')
  return reply.type(contract.getOwnStreetTile.content).header('x-content-type-options', 'nosniff').send(tile.bytes)
}
