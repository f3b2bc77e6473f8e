import { useMap } from '@vis.gl/react-maplibre'
import type { ErrorEvent, MapSourceDataEvent } from 'maplibre-gl'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { onlineSource } from '../style/external-style.ts'
import type { FailureReason, StreetStatus } from './street-status.ts'
import { reasonOfStatus } from './tile-json.ts'

interface Props {
  status: StreetStatus
  /** Whether the online map has its own style. */
  hasExternalStyle: boolean
  onFailure: (reason: FailureReason) => void
  onProof: () => void
  onComplete: () => void
}

interface TileId {
  z: number
  x: number
  y: number
}

/** The properties that MapLibre adds to errors about tiles. */
interface TileFailure {
  error?: { status?: number }
  sourceId?: string
  tile?: { tileID: { canonical: TileId } }
}

/** Observes the tiles of the street maps. Failed tiles are requested again with the next attempt. */
export function StreetTiles({ status, hasExternalStyle, onFailure, onProof, onComplete }: Props) {
  const { current: map } = useMap()
  const missing = useRef(new Map<string, TileId & { source: string }>())
  const { phase, attempt } = status
  const isWhole = useRef(false)
  // A layout effect, because the parent sets the style of the map after the layout effects of its children.
  useLayoutEffect(() => {
    isWhole.current = hasExternalStyle
  }, [hasExternalStyle])

  useEffect(() => {
    if (map === undefined) return
    const target = map.getMap()
    function handleError(event: ErrorEvent) {
      const { error, sourceId = '', tile } = event as unknown as TileFailure
      // MapLibre rejects a style with an error and keeps the former style.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt requests the tiles again
  useEffect(() => {
    if (map === undefined || phase === 'waiting' || phase === 'failed') return
    const target = map.getMap()
    const tiles = [...missing.current.values()]
    missing.current.clear()
    // MapLibre caches the error of a tile, and requests a tile again only if it is named by its coordinates.
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

/** Returns true for the tiles of the online service or a source of its style. */
function isOnline(source = ''): boolean {
  return source === onlineSource || source.startsWith(`${onlineSource}-`)
}
