import { flushSync } from 'react-dom'

/*
 * Every open overlay (a dialog, sheet, menu or photo) has one entry of the history above that of its page, with the same
 * address and the same state of the router, so that going back closes the topmost one. Before the router leaves the page,
 * these entries are removed, so that none is ever behind another page.
 */

interface Overlay {
  close: () => void
}

interface EntryState {
  idx?: number
  key?: string
  /** How many overlays are open. Missing without any. */
  overlays?: number
}

/** How long the browser may take to go back. */
const stepMs = 1000

/** The open overlays, the topmost last. */
let open: Overlay[] = []
/** Set while the browser removes entries of overlays. It is no longer waited for when the timer ends. */
let giveUp: ReturnType<typeof setTimeout> | null = null
let isPlanned = false
let navigations: (() => void)[] = []
/** The page of the current entry, for the router. */
let page = ''

function stateNow(): EntryState {
  return (history.state ?? {}) as EntryState
}

function depthNow(): number {
  return stateNow().overlays ?? 0
}

function pageNow(): string {
  const { idx, key } = stateNow()
  return `${idx} ${key} ${location.href}`
}

/** Must run before the router listens to the history. A reload closes all overlays, so their entries are removed. */
export function startOverlayHistory(): void {
  addEventListener('popstate', handlePop, { capture: true })
  settle()
}

/** Adds an entry of the history for an overlay that has opened. Returns the function that removes it. */
export function addOverlay(overlay: Overlay): () => void {
  open.push(overlay)
  plan()
  return () => {
    open = open.filter((other) => other !== overlay)
    plan()
  }
}

/** Runs a navigation of the router, after the entries of overlays have been removed. */
export function afterOverlays(navigate: () => void): void {
  navigations.push(navigate)
  if (giveUp !== null || depthNow() > 0) {
    open = []
    settle()
  } else runNavigations()
}

/** Whether going back closes an overlay. */
export function isOverlayOpen(): boolean {
  return depthNow() > 0
}

/** One overlay often closes as another one opens, which then takes over its entry. */
function plan() {
  if (isPlanned) return
  isPlanned = true
  queueMicrotask(() => {
    isPlanned = false
    settle()
  })
}

/** Makes the entries of the history match the open overlays. */
function settle() {
  if (giveUp !== null) return
  const depth = depthNow()
  page = pageNow()
  if (depth > open.length) {
    giveUp = setTimeout(handleTimeout, stepMs)
    history.go(open.length - depth)
    return
  }
  runNavigations()
  for (let overlays = depthNow() + 1; overlays <= open.length; overlays++)
    history.pushState({ ...stateNow(), overlays }, '')
}

function handleTimeout() {
  giveUp = null
  runNavigations()
}

function runNavigations() {
  const waiting = navigations
  navigations = []
  for (const navigate of waiting) navigate()
  page = pageNow()
}

function handlePop(event: PopStateEvent) {
  // Only overlays differ, so the router must not handle the event.
  if (pageNow() === page) event.stopImmediatePropagation()
  if (giveUp !== null) {
    clearTimeout(giveUp)
    giveUp = null
    return settle()
  }
  // An overlay that stays open, because it must be answered, gets its entry back.
  const closing = open.slice(depthNow()).reverse()
  flushSync(() => {
    for (const overlay of closing) overlay.close()
  })
  settle()
}
