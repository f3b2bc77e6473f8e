// biome-ignore lint/style/useImportType: the other form would load the engine with whoever imports this file
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { plainAttribution } from './attribution.ts'
import { fetchDocument, resolved, TilesError } from './tile-json.ts'

/** A map from elsewhere, drawn as its maker drew it: its ids made its own, its addresses whole, its attributions plain. */
export interface WholeStyle {
  readonly sources: Readonly<Record<string, SourceSpecification>>
  readonly layers: readonly LayerSpecification[]
  readonly glyphs: string | null
  readonly sprite: StyleSpecification['sprite'] | null
}

export const onlineSource = 'online'

type Named = Readonly<Record<string, unknown>>

/** As the engine reads it from a TileJSON. */
const ofTileJson = ['tiles', 'minzoom', 'maxzoom', 'attribution', 'bounds', 'scheme', 'tileSize', 'encoding']

export function isWholeStyle(document: object): boolean {
  return 'layers' in document && Array.isArray(document.layers) && 'sources' in document
}

/** Reads what the sources of a style lead to. Throws `TilesError`. */
export async function wholeStyleOf(document: Named, address: string, signal: AbortSignal): Promise<WholeStyle> {
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
