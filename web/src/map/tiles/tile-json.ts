import { limitTime } from '../../device/time-limit.ts'
import type { Bounds } from '../engine/grid.ts'
import { plainAttribution } from '../style/attribution.ts'

/** Vector tiles in the OpenMapTiles schema. */
export interface Tiles {
  readonly tiles: readonly string[]
  readonly bounds: Bounds
  readonly minzoom: number
  readonly maxzoom: number
  readonly attribution: string
}

export const wholeWorld: Bounds = { west: -180, south: -85.05, east: 180, north: 85.05 }

/** Why a map service returned nothing to draw. `key` means that it refused the API key. */
export class TilesError extends Error {
  readonly reason: 'key' | 'connection'

  constructor(reason: 'key' | 'connection') {
    super(reason)
    this.name = 'TilesError'
    this.reason = reason
  }
}

export function reasonOfStatus(status: number | undefined): TilesError['reason'] {
  return status === 401 || status === 403 ? 'key' : 'connection'
}

const timeoutMs = 10_000

/** Loads a TileJSON document. Throws `TilesError`. */
export async function fetchTiles(address: string, fallbackAttribution: string, signal: AbortSignal): Promise<Tiles> {
  return tilesOf(await fetchDocument(address, signal), address, fallbackAttribution)
}

export function tilesOf(document: Record<string, unknown>, address: string, fallbackAttribution: string): Tiles {
  const { tiles, bounds, minzoom, maxzoom, attribution } = document
  const templates = (Array.isArray(tiles) ? tiles : []).filter((tile): tile is string => typeof tile === 'string')
  if (templates.length === 0) throw new TilesError('connection')
  const corners = (Array.isArray(bounds) ? bounds : []).map(Number)
  const [west, south, east, north] = corners
  const areBounds = corners.length === 4 && corners.every(Number.isFinite)
  return {
    tiles: templates.map((template) => resolved(template, address)),
    bounds: areBounds ? ({ west, south, east, north } as Bounds) : wholeWorld,
    minzoom: typeof minzoom === 'number' ? minzoom : 0,
    maxzoom: typeof maxzoom === 'number' ? maxzoom : 14,
    attribution: plainAttribution(
      typeof attribution === 'string' && attribution !== '' ? attribution : fallbackAttribution,
    ),
  }
}

/** Resolves a tile address relative to its document and keeps placeholders such as `{z}`. Throws `TilesError`. */
export function resolved(template: string, address: string): string {
  if (!URL.canParse(template, address)) throw new TilesError('connection')
  return new URL(template, address).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

export async function fetchDocument(address: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const limit = limitTime(timeoutMs, signal)
  try {
    const response = await fetch(address, { credentials: 'omit', signal: limit.signal })
    if (!response.ok) throw new TilesError(reasonOfStatus(response.status))
    const document: unknown = await response.json()
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>
  } catch (error) {
    if (signal.aborted || error instanceof TilesError) throw error
    // No response, or for example the sign-in page of a hotel network.
  } finally {
    limit.end()
  }
  throw new TilesError('connection')
}
