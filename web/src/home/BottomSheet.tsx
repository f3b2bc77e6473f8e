import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { heightOf, restingStop, type Stop, stops } from './sheet-stops.ts'
import { homeStrings } from './strings.ts'

interface Props {
  stop: Stop
  onStop: (stop: Stop) => void
  /** The height of what the sheet lies over. */
  availablePx: number
  children: ReactNode
}

interface Drag {
  startY: number
  startHeightPx: number
  lastY: number
  lastAt: number
  speedPxPerMs: number
}

const tapPx = 6

/** Lies over the map and stops at three heights: dragged by its handle, tapped on, or moved with the arrow keys. */
export function BottomSheet({ stop, onStop, availablePx, children }: Props) {
  const drag = useRef<Drag | null>(null)
  const hasDragged = useRef(false)
  const [draggedPx, setDraggedPx] = useState<number | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const heightPx = draggedPx ?? heightOf(stop, availablePx)

  // What peeks out are the headings, wherever the lists were scrolled to.
  useEffect(() => {
    if (stop === 'peek') content.current?.scrollTo({ top: 0 })
  }, [stop])

  function handleDown(event: PointerEvent) {
    hasDragged.current = false
    event.currentTarget.setPointerCapture(event.pointerId)
    const { clientY, timeStamp } = event
    drag.current = { startY: clientY, startHeightPx: heightPx, lastY: clientY, lastAt: timeStamp, speedPxPerMs: 0 }
  }

  function handleMove({ clientY, timeStamp }: PointerEvent) {
    const current = drag.current
    if (current === null) return
    const elapsedMs = Math.max(1, timeStamp - current.lastAt)
    current.speedPxPerMs = (current.lastY - clientY) / elapsedMs
    current.lastY = clientY
    current.lastAt = timeStamp
    const wantedPx = current.startHeightPx + current.startY - clientY
    setDraggedPx(Math.min(Math.max(wantedPx, heightOf('peek', availablePx)), heightOf('full', availablePx)))
  }

  function handleUp() {
    const current = drag.current
    drag.current = null
    setDraggedPx(null)
    if (current === null) return
    const movedPx = Math.abs(current.startY - current.lastY)
    if (movedPx <= tapPx) return
    hasDragged.current = true
    onStop(restingStop(heightPx, current.speedPxPerMs, stop, availablePx))
  }

  function handleKey(event: KeyboardEvent) {
    hasDragged.current = false
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const next = step === undefined ? undefined : stops[stops.indexOf(stop) + step]
    if (next === undefined) return
    event.preventDefault()
    onStop(next)
  }

  function handleClick() {
    // A mouse that ends its drag on the handle clicks it as well.
    if (!hasDragged.current) onStop(stop === 'peek' ? 'half' : 'peek')
    hasDragged.current = false
  }

  return (
    <Box
      component="section"
      aria-label={homeStrings.listsLabel}
      data-rest={draggedPx === null ? stop : undefined}
      sx={{
        // What lies below the edge can be neither seen nor pressed, so Tab must not lead there.
        '&[data-rest="peek"] [data-folds]': { visibility: 'hidden' },
        position: 'absolute',
        left: 0,
        right: 0,
        bottom: 0,
        zIndex: 3,
        display: 'flex',
        flexDirection: 'column',
        bgcolor: 'background.paper',
        borderRadius: '20px 20px 0 0',
        boxShadow: '0 -4px 20px rgb(0 0 0 / 0.14)',
        transition: draggedPx === null ? 'height 180ms ease-out' : 'none',
        '@media (prefers-reduced-motion: reduce)': { transition: 'none' },
      }}
      style={{ height: heightPx }}
    >
      <ButtonBase
        aria-label={homeStrings.sheetHandle}
        aria-expanded={stop !== 'peek'}
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={handleUp}
        onKeyDown={handleKey}
        onClick={handleClick}
        sx={{ flexShrink: 0, height: 28, width: '100%', touchAction: 'none', borderRadius: '20px 20px 0 0' }}
      >
        <Box aria-hidden sx={{ width: 40, height: 4, borderRadius: 2, bgcolor: 'text.secondary', opacity: 0.5 }} />
      </ButtonBase>
      <Box
        ref={content}
        sx={{ flex: 1, minHeight: 0, overflowY: stop === 'peek' && draggedPx === null ? 'hidden' : 'auto' }}
      >
        {children}
      </Box>
    </Box>
  )
}
