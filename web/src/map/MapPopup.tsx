import { Popup, useMap } from '@vis.gl/react-maplibre'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { cameraMs } from './map-defaults.ts'
import { markerIdOf } from './PinMarker.tsx'
import { prefersStillness } from './stillness.ts'

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
const settleMs = 1000

/** A card over its marker. Takes the focus, gives it back, closes with Escape, and moves the map until it fits. */
export function MapPopup({ latitude, longitude, offset, pinId, label, onClose, children }: Props) {
  const { current: map } = useMap()
  const card = useRef<HTMLElement>(null)

  useEffect(() => {
    const opener = document.activeElement
    const element = card.current
    // Not before the map has put the popup into place, or the page would scroll to where it is not.
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
    function fit() {
      const rect = card.current?.getBoundingClientRect()
      if (rect === undefined) return
      const view = target.getContainer().getBoundingClientRect()
      const insetBottom = target.getMap().getPadding().bottom ?? 0
      const dx = overlap(rect.left, rect.right, view.left + marginPx, view.right - marginPx)
      const dy = overlap(rect.top, rect.bottom + 60, view.top + marginPx, view.bottom - insetBottom - marginPx)
      if (Math.abs(dx) > 1 || Math.abs(dy) > 1) target.panBy([dx, dy], { duration: prefersStillness() ? 0 : cameraMs })
    }
    let heightPx = 0
    // First as it appears, and again for what comes into it later; not for what leaves it, so that the map keeps still.
    const observer = new ResizeObserver(([entry]) => {
      const grownPx = (entry?.contentRect.height ?? 0) - heightPx
      heightPx += grownPx
      if (grownPx <= 0) return
      // The camera may be on its way to this very pin.
      if (target.isMoving()) target.once('moveend', fit)
      else fit()
    })
    if (card.current) observer.observe(card.current)
    // A camera that was about to move as the card appeared takes it along; later moves are somebody's wish.
    const settle = ({ originalEvent }: { originalEvent?: unknown }) => originalEvent === undefined && fit()
    target.on('moveend', settle)
    const settling = setTimeout(() => target.off('moveend', settle), settleMs)
    return () => {
      observer.disconnect()
      clearTimeout(settling)
      target.off('moveend', settle)
      target.off('moveend', fit)
    }
  }, [map])

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
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

/** How far to move the view so that the span lies within; where it is too long, its start does. */
function overlap(start: number, end: number, least: number, most: number): number {
  if (start < least || end - start > most - least) return start - least
  return end > most ? end - most : 0
}
