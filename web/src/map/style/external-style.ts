import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { fetchDocument, resolved, TilesError } from '../tiles/tile-json.ts'
import { plainAttribution } from './attribution.ts'

/** A complete style of another server, with prefixed ids, absolute addresses and attributions as plain text. */
export interface ExternalStyle {
  readonly sources: Readonly<Record<string, SourceSpecification>>
  readonly layers: readonly LayerSpecification[]
  readonly glyphs: string | null
  readonly sprite: StyleSpecification['sprite'] | null
}

export const onlineSource = 'online'

type Named = Readonly<Record<string, unknown>>

/** The TileJSON fields that MapLibre reads. */
const ofTileJson = ['tiles', 'minzoom', 'maxzoom', 'attribution', 'bounds', 'scheme', 'tileSize', 'encoding']

export function isExternalStyle(document: object): boolean {
  return 'layers' in document && Array.isArray(document.layers) && 'sources' in document
}

/** Loads the TileJSON documents that the sources of a style refer to. Throws `TilesError`. */
export async function loadExternalStyle(document: Named, address: string, signal: AbortSignal): Promise<ExternalStyle> {
  const sources = Object.entries((document['sources'] ?? {}) as Record<string, Named>)
  const layers = document['layers'] as Named[]
  if (layers.length === 0) throw new TilesError('connection')
  const named = (id: unknown) => `${onlineSource}-${String(id)}`
  return {
    sources: Object.fromEntries(
      await Promise.all(
        sources.map(async ([id, source]) => [named(id), await sourceOf(source, address, signal)] as const),
      ),
    ),
    layers: layers.map(
      (layer) =>
        ({
          ...layer,
          id: named(layer['id']),
          ...('source' in layer && { source: named(layer['source']) }),
          ...('ref' in layer && { ref: named(layer['ref']) }),
        }) as unknown as LayerSpecification,
    ),
    glyphs: typeof document['glyphs'] === 'string' ? resolved(document['glyphs'], address) : null,
    sprite: spriteOf(document['sprite'], address),
  }
}

async function sourceOf(source: Named, address: string, signal: AbortSignal): Promise<SourceSpecification> {
  const { url, ...given } = source
  const isTiled = ['vector', 'raster', 'raster-dem'].includes(String(source['type']))
  if (!isTiled || typeof url !== 'string') return withWholeAddresses(source, address)
  const tileJsonAddress = resolved(url, address)
  const tileJson = Object.entries(await fetchDocument(tileJsonAddress, signal))
  const read = Object.fromEntries(tileJson.filter(([name]) => ofTileJson.includes(name)))
  return withWholeAddresses({ ...read, ...given }, tileJsonAddress)
}

function withWholeAddresses(source: Named, address: string): SourceSpecification {
  const { tiles, data, url, attribution } = source
  return {
    ...source,
    ...(Array.isArray(tiles) && { tiles: tiles.map((tile) => resolved(String(tile), address)) }),
    ...(typeof data === 'string' && { data: resolved(data, address) }),
    ...(typeof url === 'string' && { url: resolved(url, address) }),
    ...(typeof attribution === 'string' && { attribution: plainAttribution(attribution) }),
  } as unknown as SourceSpecification
}

function spriteOf(sprite: unknown, address: string): StyleSpecification['sprite'] | null {
  if (typeof sprite === 'string') return resolved(sprite, address)
  if (!Array.isArray(sprite)) return null
  return (sprite as { id: string; url: string }[]).map(({ id, url }) => ({ id, url: resolved(url, address) }))
}
