import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { type Place } from '../map/map-defaults.ts'
import { type PingDraft } from '../pings/ping-draft.ts'
import { draftOfShared } from './draft-of-shared.ts'
import { takeShared } from './shared.ts'

/** Begins the new pin that the app was opened for: by a shortcut, or with what another app shares. */
export function useLaunch(begin: (draft: PingDraft | null, place: Place | null) => unknown) {
  const [params, setParams] = useSearchParams()
  const latest = useRef(begin)
  latest.current = begin
  const wanted = params.has('shared') ? 'shared' : params.has('new') ? 'new' : null

  useEffect(() => {
    if (wanted === null) return
    // Once: a reload, or a way back to here, is no second wish.
    setParams({}, { replace: true })
    if (wanted === 'new') return void latest.current(null, null)
    void takeShared(Date.now())
      .catch(() => null)
      .then((shared) => {
        if (shared === null) return
        const { draft, place } = draftOfShared(shared)
        latest.current(draft, place)
      })
  }, [wanted, setParams])
}
