import type { MapConfig } from '@hither/contract/maps.ts'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { apiAddress } from '../../api/base-address.ts'
import { loading } from '../map-defaults.ts'
import { plainAttribution } from '../style/attribution.ts'
import { type ExternalStyle, isExternalStyle, loadExternalStyle } from '../style/external-style.ts'
import { useIsOffline } from './network.ts'
import { atFirst, type FailureReason, nextStatus } from './street-status.ts'
import { fetchDocument, fetchTiles, type Tiles, TilesError, tilesOf, wholeWorld } from './tile-json.ts'

interface Streets {
  own: readonly Tiles[]
  online: Tiles | ExternalStyle | null
}

const none: Streets = { own: [], online: null }

/**
 * The available street maps: the operator's own and those of an online service. Starts when `config` is known and
 * retries automatically, but not without network. Tries once more when the device is online again.
 */
export function useStreets(config: MapConfig | null) {
  const [streets, setStreets] = useState<Streets>(none)
  const [isProven, setIsProven] = useState(false)
  const [status, dispatch] = useReducer(nextStatus, atFirst)
  const { phase } = status
  const isOffline = useIsOffline()

  useEffect(() => {
    if (config === null || phase !== 'loading') return
    const leaving = new AbortController()
    fetchStreets(config, leaving.signal).then(({ failure, ...found }) => {
      if (leaving.signal.aborted) return
      // A failed retry does not remove what has loaded before.
      setStreets((before) => ({
        own: found.own.length >= before.own.length ? found.own : before.own,
        online: found.online ?? before.online,
      }))
      dispatch(failure === null ? { type: 'loaded' } : { type: 'failed', reason: failure })
    })
    return () => leaving.abort()
  }, [config, phase])

  useEffect(() => {
    if (phase !== 'waiting' || isOffline) return
    const timer = setTimeout(() => dispatch({ type: 'due' }), loading.retryMs)
    return () => clearTimeout(timer)
  }, [phase, isOffline])

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
    /** Whether a tile of the online service has arrived. The embedded world is removed only then. */
    isProven: isProven && streets.online !== null,
    status,
    noteFailure,
    noteProof,
    noteComplete,
    retry,
  }
}

/** Loads each source separately, so that one failure does not affect the others. */
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

/** The document at the address may be a style or a TileJSON. */
async function onlineTiles(
  { kind, url, attribution }: NonNullable<MapConfig['online_streets']>,
  signal: AbortSignal,
): Promise<Tiles | ExternalStyle> {
  const fallback = attribution ?? ''
  if (kind === 'tiles')
    return { tiles: [url], bounds: wholeWorld, minzoom: 0, maxzoom: 14, attribution: plainAttribution(fallback) }
  const document = await fetchDocument(url, signal)
  return isExternalStyle(document) ? loadExternalStyle(document, url, signal) : tilesOf(document, url, fallback)
}

function absolute(address: string): string {
  return new URL(address, document.baseURI).href
}
