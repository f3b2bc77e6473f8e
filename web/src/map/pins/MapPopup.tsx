import { Popup, useMap } from '@vis.gl/react-maplibre'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useOverlay } from '../../ui/overlays/use-overlay.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { prefersReducedMotion } from '../engine/reduced-motion.ts'
import { cameraMs } from '../map-defaults.ts'
import { markerIdOf } from './PinMarker.tsx'

interface Props {
  latitude: number
  longitude: number
  offset: [number, number]
  pinId: string
  label: string
  onClose: () => void
  children: ReactNode
}

const marginPx = 12
/** Below the card: the marker above the attribution. */
const belowPx = 60 + 28
const settleMs = 1000
/** Marks the movement that makes the card visible. No other one follows it, so a card that is too tall moves the map once. */
const ownMove = { isFit: true }

/**
 * A card above its marker. It takes the focus and returns it, closes with Escape, and moves the map until it is fully
 * visible.
 */
export function MapPopup({ latitude, longitude, offset, pinId, label, onClose, children }: Props) {
  const { current: map } = useMap()
  const card = useRef<HTMLElement>(null)
  useOverlay(true, onClose)

  useEffect(() => {
    const opener = document.activeElement
    const element = card.current
    // Focused after the map has positioned the popup. Otherwise the page would scroll to a wrong position.
    const frame = requestAnimationFrame(() => element?.focus({ preventScroll: true }))
    return () => {
      cancelAnimationFrame(frame)
      const isForsaken = document.activeElement === document.body || element?.contains(document.activeElement)
      if (!isForsaken) return
      const returnTo = opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : null
      const target = returnTo ?? document.getElementById(markerIdOf(pinId))
      target?.focus({ preventScroll: true })
    }
  }, [pinId])

  useEffect(() => {
    if (map === undefined) return
    const target = map
    let frame = 0
    let needsFit = false
    let isSettling = true
    /** The camera must not move within one of its own events, because ending that movement would fire the event again. */
    function fitSoon() {
      needsFit = true
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(fit)
    }
    function fit() {
      const rect = card.current?.getBoundingClientRect()
      // The camera may be moving to this pin. The end of that movement fits the popup.
      if (rect === undefined || target.isMoving()) return
      needsFit = false
      const view = target.getContainer().getBoundingClientRect()
      const insetBottom = target.getMap().getPadding().bottom ?? 0
      const dx = overlap(rect.left, rect.right, view.left + marginPx, view.right - marginPx)
      const dy = overlap(rect.top, rect.bottom + belowPx, view.top + marginPx, view.bottom - insetBottom - marginPx)
      if (Math.abs(dx) > 1 || Math.abs(dy) > 1)
        target.panBy([dx, dy], { duration: prefersReducedMotion() ? 0 : cameraMs }, ownMove)
    }
    let heightPx = 0
    // Fits the popup when it appears and when it grows, but not when it shrinks, so that the map does not move.
    const observer = new ResizeObserver(([entry]) => {
      const grownPx = (entry?.contentRect.height ?? 0) - heightPx
      heightPx += grownPx
      if (grownPx > 0) fitSoon()
    })
    if (card.current) observer.observe(card.current)
    // A camera movement without user input moves the popup too, so it is fitted again. Movements by the user are left
    // alone, and so are those that begin later. A map that is still loading moves to its start after it has loaded.
    function handleMoveEnd(event: { originalEvent?: unknown; isFit?: true }) {
      const isByApp = event.originalEvent === undefined && event.isFit === undefined
      if (needsFit || (isSettling && isByApp)) fitSoon()
    }
    target.on('moveend', handleMoveEnd)
    let settling: ReturnType<typeof setTimeout> | undefined
    const endSettling = () => {
      settling = setTimeout(() => {
        isSettling = false
      }, settleMs)
    }
    if (target.getMap().loaded()) endSettling()
    else target.once('idle', endSettling)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      clearTimeout(settling)
      target.off('idle', endSettling)
      target.off('moveend', handleMoveEnd)
    }
  }, [map])

  function handleKeyDown(event: KeyboardEvent) {
    if (pressedKey(event) !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    <Popup
      latitude={latitude}
      longitude={longitude}
      anchor="bottom"
      offset={offset}
      closeButton={false}
      closeOnClick={false}
      focusAfterOpen={false}
      maxWidth="none"
      onClose={onClose}
    >
      <section
        ref={card}
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={handleKeyDown}
        style={{ outline: 'none' }}
      >
        {children}
      </section>
    </Popup>
  )
}

/** Returns how far to move the view so that the span is visible. If the span is too long, its start is visible. */
function overlap(start: number, end: number, least: number, most: number): number {
  if (start < least || end - start > most - least) return start - least
  return end > most ? end - most : 0
}
