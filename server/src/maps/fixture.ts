import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

/** The options of a test file. The default is a gzipped street map in the OpenMapTiles schema around New York. */
interface ArchiveOptions {
  readonly tiles: readonly { z: number; x: number; y: number; data: string }[]
  readonly metadata?: unknown
  readonly bounds?: readonly [number, number, number, number]
  readonly tileType?: number
  /** The PMTiles code of the compression: 1 is none, 2 is gzip, 3 is brotli. */
  readonly tileCompression?: number
}

const headerBytes = 127

/**
 * Creates a PMTiles file, version 3 (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md), with one directory and
 * each tile once.
 */
export function pmtilesOf({
  tiles,
  metadata = { vector_layers: [{ id: 'transportation', fields: {} }] },
  bounds = [-74.1, 40.6, -73.8, 40.9],
  tileType = 1,
  tileCompression = 2,
}: ArchiveOptions): Buffer {
  const entries = tiles
    .map(({ z, x, y, data }) => ({
      id: zxyToTileId(z, x, y),
      bytes: tileCompression === 2 ? gzipSync(data) : Buffer.from(data),
    }))
    .sort((a, b) => a.id - b.id)
  const directory = gzipSync(directoryOf(entries))
  const described = gzipSync(JSON.stringify(metadata))
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles', 0)
  header[7] = 3
  const directoryAt = headerBytes
  const metadataAt = directoryAt + directory.length
  const tilesAt = metadataAt + described.length
  const length = entries.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const count = entries.length
  const numbers = [directoryAt, directory.length, metadataAt, described.length, tilesAt, 0, tilesAt, length]
  for (const [i, number] of [...numbers, count, count, count].entries())
    header.writeBigUInt64LE(BigInt(number), 8 + i * 8)
  const zooms = tiles.map(({ z }) => z)
  header.set([1, 2, tileCompression, tileType, Math.min(...zooms), Math.max(...zooms)], 96)
  for (const [i, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + i * 4)
  header[118] = Math.min(...zooms)
  header.writeInt32LE(Math.round(((bounds[0] + bounds[2]) / 2) * 1e7), 119)
  header.writeInt32LE(Math.round(((bounds[1] + bounds[3]) / 2) * 1e7), 123)
  return Buffer.concat([header, directory, described, ...entries.map(({ bytes }) => bytes)])
}

function directoryOf(entries: readonly { id: number; bytes: Buffer }[]): Buffer {
  const numbers = [
    entries.length,
    ...entries.map(({ id }, i) => id - (entries[i - 1]?.id ?? 0)),
    ...entries.map(() => 1),
    ...entries.map(({ bytes }) => bytes.length),
    // Zero means directly after the previous one.
    ...entries.map((_, i) => (i === 0 ? 1 : 0)),
  ]
  return Buffer.from(numbers.flatMap(varint))
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))]
}
