import { useEffect } from 'react'
import { type NavigateFunction, useNavigate } from 'react-router'

let navigate: NavigateFunction | null = null

/** Leads to a path of the app, for what is no part of a screen: the phone's own links come at any time. */
export function go(path: string, { replace = false } = {}) {
  if (navigate !== null) return void navigate(path, { replace })
  // Before the first picture, the address is all there is.
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  if (replace) history.replaceState({ idx }, '', path)
  else history.pushState({ idx: idx + 1 }, '', path)
}

/** Hands the router to `go`. */
export function Guide() {
  const own = useNavigate()
  useEffect(() => {
    navigate = own
  }, [own])
  return null
}
