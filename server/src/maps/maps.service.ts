import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { getOwnStreetMap, getOwnStreetTile, type OwnStreetMap, type TileJson } from '@hither/contract/maps.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import type { FastifyBaseLogger } from 'fastify'
import { Refusal } from '../platform/errors/refusal.ts'
import { type Archive, NotAStreetMap, openArchive, tagOf } from './archive.ts'
import { namingOf } from './attribution.ts'

/** The street maps in a folder of the operator. Added, changed and removed files are noticed with the next request. */
export interface Maps {
  list(): Promise<OwnStreetMap[]>
  /** `origin` is the origin under which the client reaches this server. */
  getTileJson(name: string, origin: string): Promise<TileJson>
  getTile(ask: TileRequest): Promise<Tile | null>
  close(): Promise<void>
}

interface TileRequest {
  readonly name: string
  readonly z: number
  readonly x: number
  readonly y: number
  readonly takesGzip: boolean
}

export interface Tile {
  readonly bytes: Buffer
  readonly isGzipped: boolean
  /** Changes with the file. */
  readonly version: string
}

interface OpenMap {
  readonly name: string
  readonly version: string
  /** `null`: the file is no street map, which was logged once. */
  readonly archive: Archive | null
}

const ending = '.pmtiles'
const unpack = promisify(gunzip)

export function createMaps(folder: string, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Maps {
  let maps = new Map<string, OpenMap>()
  let looking: Promise<void> | null = null

  /** Reads the folder. Concurrent callers share one run. */
  function look(): Promise<void> {
    looking ??= lookNow().finally(() => {
      looking = null
    })
    return looking
  }

  async function lookNow() {
    const found = new Map<string, OpenMap>()
    for (const name of await listNames(folder)) {
      const map = await openIfChanged(name, maps.get(name))
      if (map !== null) found.set(name, map)
    }
    const gone = [...maps.values()].filter((map) => found.get(map.name) !== map)
    maps = found
    for (const { archive } of gone) await archive?.close()
  }

  async function openIfChanged(name: string, known: OpenMap | undefined): Promise<OpenMap | null> {
    const version = await versionOf(name)
    if (version === null) return null
    if (known?.version === version) return known
    try {
      const archive = await openArchive(join(folder, name + ending))
      log.info({ map: name }, 'street map found')
      return { name, version, archive }
    } catch (error) {
      // The file may still be copied; it then has another version and is tried again.
      const reason = error instanceof NotAStreetMap ? error.message : 'it cannot be opened'
      log.warn({ map: name, reason }, 'street map file skipped')
      return { name, version, archive: null }
    }
  }

  function versionOf(name: string): Promise<string | null> {
    return stat(join(folder, name + ending)).then(tagOf, () => null)
  }

  /** Only names from the folder listing become paths, so that no name can leave the folder. */
  async function find(name: string): Promise<OpenMap & { archive: Archive }> {
    const known = maps.get(name)
    if (known === undefined || known.version !== (await versionOf(name))) await look()
    const map = maps.get(name)
    if (map?.archive) return { ...map, archive: map.archive }
    throw new Refusal('map_not_found')
  }

  return {
    async list() {
      await look()
      return [...maps.values()].flatMap(({ name, archive }) => (archive === null ? [] : [presentMap(name, archive)]))
    },
    async getTileJson(name, origin) {
      const { archive, version } = await find(name)
      return {
        tilejson: '3.0.0',
        name,
        scheme: 'xyz',
        tiles: [`${origin}/api${tilePath(name)}?v=${version}`],
        bounds: archive.bounds,
        center: archive.center,
        minzoom: archive.minZoom,
        maxzoom: archive.maxZoom,
        attribution: namingOf(archive.attribution),
        vector_layers: archive.vectorLayers,
      }
    },
    async getTile({ name, z, x, y, takesGzip }) {
      const { archive, version } = await find(name)
      if (z < archive.minZoom || z > archive.maxZoom || x >= 2 ** z || y >= 2 ** z) throw new Refusal('map_not_found')
      const bytes = await archive.readTile(z, x, y).catch((error: unknown) => {
        if (maps.get(name)?.archive === archive) throw error
        // The file was replaced and closed in between.
        throw new Refusal('map_not_found')
      })
      if (bytes === null) return null
      if (!archive.isGzipped || takesGzip) return { bytes, isGzipped: archive.isGzipped, version }
      return { bytes: await unpack(bytes), isGzipped: false, version }
    },
    async close() {
      await looking
      for (const { archive } of maps.values()) await archive?.close()
      maps = new Map()
    },
  }
}

/** Lists the file names; a missing folder counts as empty. */
async function listNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  return entries.flatMap((entry) => (/^[^.].*\.pmtiles$/.test(entry) ? [entry.slice(0, -ending.length)] : [])).sort()
}

function presentMap(name: string, archive: Archive): OwnStreetMap {
  return {
    name,
    tilejson_path: filledPath(getOwnStreetMap.address, { name }),
    bounds: archive.bounds,
    min_zoom: archive.minZoom,
    max_zoom: archive.maxZoom,
    attribution: namingOf(archive.attribution),
  }
}

function tilePath(name: string): string {
  return splitAddress(getOwnStreetTile.address)
    .path.replace(':name', encodeURIComponent(name))
    .replace(/:([zxy])/g, '{$1}')
}
