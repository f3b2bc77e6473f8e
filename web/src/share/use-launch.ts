import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { Place } from '../map/map-defaults.ts'
import type { PingDraft } from '../pings/create/ping-draft.ts'
import { takeShared } from '../service-worker/shared.ts'
import { draftFromShared } from './shared-draft.ts'

/**
 * Starts a new pin if the app was opened by a shortcut or with content that another app has shared, and Home is shown.
 */
export function useLaunch(isShown: boolean, begin: (draft: PingDraft | null, place: Place | null) => unknown) {
  const [params, setParams] = useSearchParams()
  const latest = useRef(begin)
  latest.current = begin
  const wanted = !isShown ? null : params.has('shared') ? 'shared' : params.has('new') ? 'new' : null

  useEffect(() => {
    if (wanted === null) return
    // Removes the parameters, so that a reload or going back does not start the pin again.
    setParams({}, { replace: true })
    if (wanted === 'new') return void latest.current(null, null)
    void takeShared(Date.now())
      .catch(() => null)
      .then((shared) => {
        if (shared === null) return
        const { draft, place } = draftFromShared(shared)
        latest.current(draft, place)
      })
  }, [wanted, setParams])
}
