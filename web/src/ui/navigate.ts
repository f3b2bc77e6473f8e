import { useEffect } from 'react'
import { type NavigateFunction, useNavigate } from 'react-router'

let routerNavigate: NavigateFunction | null = null

/**
 * Navigates to a path of the app from outside of the component tree: notifications and links that the phone opens arrive at any
 * time, also before the first render.
 */
export function navigate(path: string, { replace = false } = {}) {
  if (routerNavigate !== null) return void routerNavigate(path, { replace })
  // The router is not mounted yet and will read the address when it is.
  const idx = indexInHistory()
  if (replace) history.replaceState({ idx }, '', path)
  else history.pushState({ idx: idx + 1 }, '', path)
}

/** The router counts the entries of the history. The first one of the app has the index 0. */
export function indexInHistory(): number {
  return (history.state as { idx?: number } | null)?.idx ?? 0
}

/** Makes the mounted router available to `navigate`. Must be rendered once, inside of the router. */
export function NavigateBinding() {
  const current = useNavigate()
  useEffect(() => {
    routerNavigate = current
  }, [current])
  return null
}
