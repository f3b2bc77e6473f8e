import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { pressedKey } from '../ui/pressed-key.ts'
import { handlePx, heightOf, restingStop, type Stop, stops } from './sheet-stops.ts'

interface Props {
  stop: Stop
  onStop: (stop: Stop) => void
  /** The height of the area that the sheet can cover, in pixels. */
  availablePx: number
  /** The height of the lowest stop, in pixels. */
  peekPx: number
  /** Whether only the handle is visible at the lowest stop. */
  isFolding: boolean
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

/** A sheet over the map with three heights. The user drags its handle, taps it, or uses the arrow keys. */
export function BottomSheet({ stop, onStop, availablePx, peekPx, isFolding, children }: Props) {
  const drag = useRef<Drag | null>(null)
  const hasDragged = useRef(false)
  const [draggedPx, setDraggedPx] = useState<number | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const shownPeekPx = useRef(peekPx)
  // Content that appears above the lists must not move them, as it would while the sheet slowly grows.
  const isSliding = draggedPx === null && shownPeekPx.current === peekPx
  const heightPx = draggedPx ?? heightOf(stop, availablePx, peekPx)

  useEffect(() => {
    shownPeekPx.current = peekPx
  }, [peekPx])

  // In the lowest position the sheet shows its headings, whatever the scroll position of the lists.
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
    setDraggedPx(Math.min(Math.max(wantedPx, peekPx), heightOf('full', availablePx, peekPx)))
  }

  function handleUp() {
    const current = drag.current
    drag.current = null
    setDraggedPx(null)
    if (current === null) return
    const movedPx = Math.abs(current.startY - current.lastY)
    if (movedPx <= tapPx) return
    hasDragged.current = true
    onStop(restingStop(heightPx, current.speedPxPerMs, stop, availablePx, peekPx))
  }

  function handleKey(event: KeyboardEvent) {
    hasDragged.current = false
    const step = { ArrowUp: 1, ArrowDown: -1 }[pressedKey(event) ?? '']
    const next = step === undefined ? undefined : stops[stops.indexOf(stop) + step]
    if (next === undefined) return
    event.preventDefault()
    onStop(next)
  }

  function handleClick() {
    // A mouse that ends a drag on the handle also fires a click.
    if (!hasDragged.current) onStop(stop === 'peek' ? 'half' : 'peek')
    hasDragged.current = false
  }

  return (
    <Box
      component="section"
      aria-label={t('home.listsLabel')}
      data-rest={draggedPx === null ? stop : undefined}
      sx={{
        // The content below the edge is invisible, so the Tab key must not reach it.
        '&[data-rest="peek"] [data-folds]:not(:has([data-peek]))': { visibility: 'hidden' },
        '&[data-rest="peek"] [data-folds] li:not([data-peek])': { visibility: 'hidden' },
        position: 'absolute',
        insetInlineStart: 0,
        insetInlineEnd: 0,
        bottom: 0,
        zIndex: 3,
        display: 'flex',
        flexDirection: 'column',
        bgcolor: 'background.paper',
        borderRadius: '20px 20px 0 0',
        boxShadow: '0 -4px 20px rgb(0 0 0 / 0.14)',
        transition: isSliding ? 'height 180ms ease-out' : 'none',
        '@media (prefers-reduced-motion: reduce)': { transition: 'none' },
      }}
      style={{ height: heightPx }}
    >
      <ButtonBase
        aria-label={t('home.sheetHandle')}
        aria-expanded={stop !== 'peek'}
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={handleUp}
        onKeyDown={handleKey}
        onClick={handleClick}
        sx={{ flexShrink: 0, height: handlePx, width: '100%', touchAction: 'none', borderRadius: '20px 20px 0 0' }}
      >
        <Box aria-hidden sx={{ width: 40, height: 4, borderRadius: 2, bgcolor: 'text.secondary', opacity: 0.5 }} />
      </ButtonBase>
      <Box
        ref={content}
        sx={{
          flex: 1,
          minHeight: 0,
          overflowY: stop === 'peek' && draggedPx === null ? 'hidden' : 'auto',
          visibility: isFolding && stop === 'peek' && draggedPx === null ? 'hidden' : 'visible',
        }}
      >
        {children}
      </Box>
    </Box>
  )
}
