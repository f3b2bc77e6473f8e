import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Compression, EtagMismatch, type Header, PMTiles, ResolvedValueCache, type Source, TileType } from 'pmtiles'

/** An open file of a street map. Opening throws `NotAStreetMap` for other files. */
export interface Archive {
  readonly bounds: number[]
  readonly center: number[]
  readonly minZoom: number
  readonly maxZoom: number
  /** As in the file, which may contain any HTML. */
  readonly attribution: string
  readonly vectorLayers: Record<string, unknown>[]
  readonly isGzipped: boolean
  /** Returns the bytes as stored in the file; `null` if the file has no such tile. */
  readTile(z: number, x: number, y: number): Promise<Buffer | null>
  close(): Promise<void>
}

/** The message gives the reason and is safe to log. */
export class NotAStreetMap extends Error {
  override name = 'NotAStreetMap'
}

/** The number of directories in memory, about ten kilobytes each. */
const directoriesMax = 200
const metadataMaxBytes = 16 * 1024 * 1024

export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path, 'r')
  try {
    const source = createFileSource(file, path)
    const cache = new ResolvedValueCache(directoriesMax, false, decompress)
    const header = await cache.getHeader(source)
    assertVectorTiles(header)
    const metadata = (await new PMTiles(source, cache, decompress).getMetadata()) as Metadata
    const vectorLayers = layersOf(metadata)
    // Tiles are returned as stored: this reader decompresses directories only.
    const tiles = new PMTiles(source, cache, async (bytes) => bytes)
    return {
      bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat],
      center: [header.centerLon, header.centerLat, header.centerZoom],
      minZoom: header.minZoom,
      maxZoom: header.maxZoom,
      attribution: typeof metadata?.attribution === 'string' ? metadata.attribution : '',
      vectorLayers,
      isGzipped: header.tileCompression === Compression.Gzip,
      async readTile(z, x, y) {
        const tile = await tiles.getZxy(z, x, y)
        return tile === undefined || tile.data.byteLength === 0 ? null : Buffer.from(tile.data)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    if (error instanceof NotAStreetMap) throw error
    throw new NotAStreetMap('it cannot be read as a PMTiles file of version 3')
  }
}

type Metadata = { attribution?: unknown; vector_layers?: unknown } | null

function assertVectorTiles({ tileType, tileCompression }: Header): void {
  if (tileType !== TileType.Mvt) throw new NotAStreetMap('its tiles are not vector tiles (MVT)')
  if (tileCompression !== Compression.Gzip && tileCompression !== Compression.None)
    throw new NotAStreetMap('its tiles are packed otherwise than with gzip')
}

/** The layer of streets distinguishes the schema that the map style needs from those of Protomaps and others. */
function layersOf(metadata: Metadata): Record<string, unknown>[] {
  const layers: unknown[] = Array.isArray(metadata?.vector_layers) ? metadata.vector_layers : []
  const named = layers.filter((layer) => typeof layer === 'object' && layer !== null) as Record<string, unknown>[]
  if (named.some(({ id }) => id === 'transportation')) return named
  throw new NotAStreetMap('its layers are not those of the OpenMapTiles schema')
}

/** A file that is overwritten while it is open has a new tag; the reader then reads it again. */
function createFileSource(file: FileHandle, key: string): Source {
  return {
    getKey: () => key,
    async getBytes(offset, length, _signal, expected) {
      const etag = tagOf(await file.stat())
      if (expected !== undefined && expected !== etag) throw new EtagMismatch('The file has changed')
      const bytes = new Uint8Array(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return { data: bytes.buffer.slice(0, bytesRead), etag }
    },
  }
}

export function tagOf({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return createHash('sha256').update(`${ino} ${size} ${mtimeMs}`).digest('base64url').slice(0, 12)
}

const unpack = promisify(gunzip)

async function decompress(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown) return bytes
  if (compression !== Compression.Gzip) throw new NotAStreetMap('it is packed otherwise than with gzip')
  const plain = await unpack(bytes, { maxOutputLength: metadataMaxBytes })
  return new Uint8Array(plain).buffer
}
