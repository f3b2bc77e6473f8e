import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { readingDirection } from '../../i18n/language.ts'

/** How far a row must be moved to count as swiped. */
const swipePx = 88
/** A movement below this distance is still a tap. */
const movedPx = 10
const pressMs = 500

interface Options {
  /** Called for a swipe against the direction of reading. Without it the row does not move. */
  onSwipe: (() => void) | undefined
  /** Called for a long press with a finger, a right click and the menu key. */
  onMenu: () => void
}

/** The gestures of a row. The "More options" menu of the row has an entry for everything that they do. */
export function useRowGestures({ onSwipe, onMenu }: Options) {
  const [offsetPx, setOffsetPx] = useState(0)
  const touch = useRef<{ x: number; y: number; isMoved: boolean } | null>(null)
  /** Whether the click at the end of the gesture must not open the row. */
  const isTaken = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function press() {
    if (isTaken.current) return
    isTaken.current = true
    onMenu()
  }

  function end() {
    clearTimeout(timer.current)
    touch.current = null
    setOffsetPx(0)
  }

  return {
    /** How far the row is moved to the right. It moves against the direction of reading. */
    offsetPx,
    handlers: {
      onPointerDown({ pointerType, clientX, clientY }: PointerEvent) {
        isTaken.current = false
        if (pointerType !== 'touch') return
        touch.current = { x: clientX, y: clientY, isMoved: false }
        timer.current = setTimeout(press, pressMs)
      },
      onPointerMove({ clientX, clientY, currentTarget, pointerId }: PointerEvent) {
        const start = touch.current
        if (start === null) return
        const [dx, dy] = [readingDirection * (clientX - start.x), clientY - start.y]
        if (!start.isMoved && Math.hypot(dx, dy) > movedPx) {
          start.isMoved = true
          clearTimeout(timer.current)
          const isSwipe = onSwipe !== undefined && dx < 0 && Math.abs(dx) > Math.abs(dy)
          if (!isSwipe || isTaken.current) return end()
          isTaken.current = true
          currentTarget.setPointerCapture(pointerId)
        }
        if (start.isMoved) setOffsetPx(readingDirection * Math.min(0, dx))
      },
      onPointerUp({ clientX }: PointerEvent) {
        const isFar = touch.current?.isMoved === true && readingDirection * (touch.current.x - clientX) >= swipePx
        end()
        if (isFar) onSwipe?.()
      },
      // The browser has begun to scroll.
      onPointerCancel: end,
      onContextMenu(event: MouseEvent) {
        event.preventDefault()
        // Phones report a long press as well.
        if (touch.current !== null) press()
        else onMenu()
      },
      onClickCapture(event: MouseEvent) {
        if (!isTaken.current) return
        isTaken.current = false
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}
