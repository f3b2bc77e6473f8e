import { type MapConfig } from '@hither/contract/maps.ts'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { apiAddress } from '../api/base-address.ts'
import { plainAttribution } from './attribution.ts'
import { loading } from './map-defaults.ts'
import { atFirst, type FailureReason, nextStatus } from './street-status.ts'
import { fetchDocument, fetchTiles, type Tiles, TilesError, tilesOf, wholeWorld } from './tile-json.ts'
import { isWholeStyle, type WholeStyle, wholeStyleOf } from './whole-style.ts'

export interface Streets {
  own: readonly Tiles[]
  online: Tiles | WholeStyle | null
}

const none: Streets = { own: [], online: null }

/**
 * The street maps that can be had: the operator's own, and those of an online service. Begins once `config` is there,
 * tries again by itself, and once more when the device is back online.
 */
export function useStreets(config: MapConfig | null) {
  const [streets, setStreets] = useState<Streets>(none)
  const [isProven, setIsProven] = useState(false)
  const [status, dispatch] = useReducer(nextStatus, atFirst)
  const { phase } = status

  useEffect(() => {
    if (config === null || phase !== 'loading') return
    const leaving = new AbortController()
    fetchStreets(config, leaving.signal).then(({ failure, ...found }) => {
      if (leaving.signal.aborted) return
      // What was there before is not lost because asking again failed.
      setStreets((before) => ({
        own: found.own.length >= before.own.length ? found.own : before.own,
        online: found.online ?? before.online,
      }))
      dispatch(failure === null ? { type: 'loaded' } : { type: 'failed', reason: failure })
    })
    return () => leaving.abort()
  }, [config, phase])

  useEffect(() => {
    if (phase !== 'waiting') return
    const timer = setTimeout(() => dispatch({ type: 'due' }), loading.retryMs)
    return () => clearTimeout(timer)
  }, [phase])

  useEffect(() => {
    if (phase !== 'failed') return
    const retry = () => dispatch({ type: 'retry' })
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [phase])

  const noteFailure = useCallback((reason: FailureReason) => dispatch({ type: 'failed', reason }), [])
  const noteProof = useCallback(() => setIsProven(true), [])
  const noteComplete = useCallback(() => dispatch({ type: 'complete' }), [])
  const retry = useCallback(() => dispatch({ type: 'retry' }), [])
  const isOnlineLost = phase === 'failed' && !isProven
  return {
    streets: isOnlineLost && streets.online !== null ? { ...streets, online: null } : streets,
    /** Whether a tile of the online service has arrived: only then is the embedded world given up. */
    isProven: isProven && streets.online !== null,
    status,
    noteFailure,
    noteProof,
    noteComplete,
    retry,
  }
}

/** Each source by itself: one that fails does not take the others along. */
async function fetchStreets({ own_streets, online_streets }: MapConfig, signal: AbortSignal) {
  let failure: FailureReason | null = null
  const unlessItFails = async <Found>(found: Promise<Found>): Promise<Found | null> => {
    try {
      return await found
    } catch (error) {
      const reason = error instanceof TilesError ? error.reason : 'connection'
      failure = failure === 'key' ? failure : reason
      return null
    }
  }
  const [online, ...own] = await Promise.all([
    online_streets === null ? null : unlessItFails(onlineTiles(online_streets, signal)),
    ...own_streets.map(({ tilejson_path, attribution }) =>
      unlessItFails(fetchTiles(absolute(apiAddress(tilejson_path)), attribution, signal)),
    ),
  ])
  return {
    own: own.filter((tiles) => tiles !== null),
    online: online ?? null,
    failure: failure as FailureReason | null,
  }
}

/** What the address leads to says by itself whether it is a style or a TileJSON. */
async function onlineTiles(
  { kind, url, attribution }: NonNullable<MapConfig['online_streets']>,
  signal: AbortSignal,
): Promise<Tiles | WholeStyle> {
  const fallback = attribution ?? ''
  if (kind === 'tiles')
    return { tiles: [url], bounds: wholeWorld, minzoom: 0, maxzoom: 14, attribution: plainAttribution(fallback) }
  const document = await fetchDocument(url, signal)
  return isWholeStyle(document) ? wholeStyleOf(document, url, signal) : tilesOf(document, url, fallback)
}

function absolute(address: string): string {
  return new URL(address, document.baseURI).href
}
