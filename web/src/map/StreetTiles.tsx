import { useMap } from '@vis.gl/react-maplibre'
// biome-ignore lint/style/useImportType: the other form would load the engine with whoever imports this file
import type { ErrorEvent, MapSourceDataEvent } from 'maplibre-gl'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { type FailureReason, type StreetStatus } from './street-status.ts'
import { reasonOfStatus } from './tile-json.ts'
import { onlineSource } from './whole-style.ts'

interface Props {
  status: StreetStatus
  /** Whether the online map brought a style of its own. */
  hasWholeStyle: boolean
  onFailure: (reason: FailureReason) => void
  onProof: () => void
  onComplete: () => void
}

interface TileId {
  z: number
  x: number
  y: number
}

/** What the engine adds to its errors about tiles. */
interface TileFailure {
  error?: { status?: number }
  sourceId?: string
  tile?: { tileID: { canonical: TileId } }
}

/** Listens to the tiles of the street maps: those that failed are asked for again with the next attempt. */
export function StreetTiles({ status, hasWholeStyle, onFailure, onProof, onComplete }: Props) {
  const { current: map } = useMap()
  const missing = useRef(new Map<string, TileId & { source: string }>())
  const { phase, attempt } = status
  const isWhole = useRef(false)
  // The map is given its style in the same phase, after its children's turn.
  useLayoutEffect(() => {
    isWhole.current = hasWholeStyle
  }, [hasWholeStyle])

  useEffect(() => {
    if (map === undefined) return
    const target = map.getMap()
    function handleError(event: ErrorEvent) {
      const { error, sourceId = '', tile } = event as unknown as TileFailure
      // The engine takes no style with a mistake in it, and holds on to the one before.
      if (isWhole.current && sourceId === '' && error?.status === undefined) return onFailure('connection')
      if (!isStreets(sourceId) || tile === undefined) return
      const { z, x, y } = tile.tileID.canonical
      missing.current.set(`${sourceId} ${z}/${x}/${y}`, { source: sourceId, z, x, y })
      onFailure(reasonOfStatus(error?.status))
    }
    function handleData({ sourceId, tile }: MapSourceDataEvent) {
      if (isOnline(sourceId) && tile?.state === 'loaded') onProof()
    }
    function handleIdle() {
      if (missing.current.size === 0) onComplete()
    }
    target.on('idle', handleIdle)
    target.on('error', handleError)
    target.on('sourcedata', handleData)
    return () => {
      target.off('idle', handleIdle)
      target.off('error', handleError)
      target.off('sourcedata', handleData)
    }
  }, [map, onFailure, onProof, onComplete])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  useEffect(() => {
    if (map === undefined || phase === 'waiting' || phase === 'failed') return
    const target = map.getMap()
    const tiles = [...missing.current.values()]
    missing.current.clear()
    // The engine asks again for what it is told by number; of itself it holds on to the error.
    for (const source of new Set(tiles.map((tile) => tile.source))) {
      if (target.getSource(source) !== undefined) {
        target.refreshTiles(
          source,
          tiles.filter((tile) => tile.source === source),
        )
      }
    }
  }, [map, phase, attempt])

  return null
}

function isStreets(source: string): boolean {
  return isOnline(source) || source.startsWith('own-')
}

/** The tiles of a service, or one of the sources of its style. */
function isOnline(source = ''): boolean {
  return source === onlineSource || source.startsWith(`${onlineSource}-`)
}
