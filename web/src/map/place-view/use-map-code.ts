import { useCallback, useEffect, useState } from 'react'
import { loadModule, loadOnce } from '../../ui/load-module.ts'

type Load<Code> = { phase: 'loading'; attempt: number } | { phase: 'failed' } | { phase: 'loaded'; code: Code }

/**
 * Loads the map engine, with what `load` adds to it, once it is needed. `load` must always be the same function. If the first attempt fails, the page is not reloaded, because the map is its least
 * important part. If the user has requested a retry and it fails, the page is reloaded: see `loadModule`. A failed load is
 * repeated when the device is online again.
 */
export function useMapCode<Code>(load: () => Promise<Code>, isNeeded: boolean) {
  const [state, setState] = useState<Load<Code>>({ phase: 'loading', attempt: 1 })
  const attempt = state.phase === 'loading' ? state.attempt : null
  const hasFailed = state.phase === 'failed'

  useEffect(() => {
    if (!isNeeded || attempt === null) return
    let isWanted = true
    const loaded = attempt === 1 ? loadOnce(load) : loadModule(load)
    loaded.then(
      (code) => isWanted && setState({ phase: 'loaded', code }),
      () => isWanted && setState({ phase: 'failed' }),
    )
    return () => {
      isWanted = false
    }
  }, [load, isNeeded, attempt])

  useEffect(() => {
    if (!hasFailed) return
    const tryAgain = () => setState({ phase: 'loading', attempt: 1 })
    addEventListener('online', tryAgain)
    return () => removeEventListener('online', tryAgain)
  }, [hasFailed])

  const fail = useCallback(() => setState({ phase: 'failed' }), [])
  const retry = useCallback(() => setState({ phase: 'loading', attempt: 2 }), [])
  return { state, fail, retry }
}
