import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react'
import { createPath, type Location, NavigationType, type Navigator, Router, type To } from 'react-router'
import { afterOverlays } from './overlay-history.ts'

/** What an entry of the history stores for its page. */
interface PageEntry {
  usr?: unknown
  key?: string
  idx?: number
}

interface Visit {
  location: Location
  navigationType: NavigationType
}

/** Like `BrowserRouter`, but every navigation removes the entries of open overlays first. */
export function OverlayRouter({ children }: { children: ReactNode }) {
  const [visit, setVisit] = useState(() => visitOf(NavigationType.Pop))
  const [navigator] = useState(() =>
    createNavigator((navigationType) => startTransition(() => setVisit(visitOf(navigationType)))),
  )
  useLayoutEffect(() => {
    const handlePop = () => startTransition(() => setVisit(visitOf(NavigationType.Pop)))
    addEventListener('popstate', handlePop)
    return () => removeEventListener('popstate', handlePop)
  }, [])
  return (
    <Router navigator={navigator} {...visit}>
      {children}
    </Router>
  )
}

function createNavigator(onVisit: (navigationType: NavigationType) => void): Navigator {
  const hrefOf = (to: To) => (typeof to === 'string' ? to : createPath(to))
  return {
    createHref: hrefOf,
    encodeLocation: (to) => new URL(hrefOf(to), location.origin),
    go: (delta) => afterOverlays(() => history.go(delta)),
    push: (to, usr) =>
      afterOverlays(() => {
        history.pushState(newEntry(usr, (entryNow().idx ?? 0) + 1), '', hrefOf(to))
        onVisit(NavigationType.Push)
      }),
    replace: (to, usr) =>
      afterOverlays(() => {
        history.replaceState(newEntry(usr, entryNow().idx ?? 0), '', hrefOf(to))
        onVisit(NavigationType.Replace)
      }),
  }
}

function entryNow(): PageEntry {
  return (history.state as PageEntry | null) ?? {}
}

function newEntry(usr: unknown, idx: number): PageEntry {
  return { usr, key: Math.random().toString(36).slice(2, 10), idx }
}

function visitOf(navigationType: NavigationType): Visit {
  const { pathname, search, hash } = location
  const { usr = null, key = 'default' } = entryNow()
  return { location: { pathname, search, hash, state: usr, key }, navigationType }
}
