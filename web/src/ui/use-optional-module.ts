import { useEffect, useState } from 'react'
import { loadOnce } from './load-module.ts'

/**
 * Loads a module after the first render in which it is needed, for a part of a screen that appears without a tap and that the
 * screen can do without. Returns null until it has loaded, and if it cannot be loaded. `load` must stay the same function.
 */
export function useOptionalModule<Module>(load: () => Promise<Module>, isNeeded: boolean): Module | null {
  const [module, setModule] = useState<Module | null>(null)

  useEffect(() => {
    if (isNeeded)
      loadOnce(load).then(
        (loaded) => setModule(loaded),
        () => undefined,
      )
  }, [load, isNeeded])

  return isNeeded ? module : null
}
