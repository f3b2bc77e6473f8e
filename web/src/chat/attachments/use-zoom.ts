import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { pressedKey } from '../../ui/pressed-key.ts'
import { fitted, type Point, type Size, scales, wholeImage, within, zoomed } from './zoom.ts'

const stepPx = 60
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [stepPx, 0],
  ArrowRight: [-stepPx, 0],
  ArrowUp: [0, stepPx],
  ArrowDown: [0, -stepPx],
}

/**
 * Zooms and moves an image in its frame: by two fingers, a double tap, the wheel, and the keys plus, minus, zero and the
 * arrows.
 */
export function useZoom(frame: RefObject<HTMLElement | null>, image: Size) {
  const [view, setView] = useState(wholeImage)
  const pointers = useRef(new Map<number, Point>())

  function zoomBy(factor: number, at: Point = { x: 0, y: 0 }) {
    setView((before) => inFrame(zoomed(before, factor, at)))
  }

  function moveBy(x: number, y: number) {
    setView((before) => inFrame({ ...before, x: before.x + x, y: before.y + y }))
  }

  function inFrame(next: typeof view) {
    const box = frame.current?.getBoundingClientRect()
    return box === undefined ? next : within(next, box, fitted(image, box))
  }

  /** Relative to the center of the frame. */
  function pointOf({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left = 0, top = 0, width = 0, height = 0 } = frame.current?.getBoundingClientRect() ?? {}
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }

  function handlePointerDown(event: PointerEvent) {
    pointers.current.set(event.pointerId, pointOf(event))
    event.currentTarget.setPointerCapture(event.pointerId)
  }

  function handlePointerMove(event: PointerEvent) {
    const before = pointers.current.get(event.pointerId)
    if (before === undefined) return
    const now = pointOf(event)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    pointers.current.set(event.pointerId, now)
    if (other === undefined) return moveBy(now.x - before.x, now.y - before.y)
    zoomBy(distance(now, other) / Math.max(1, distance(before, other)), middle(now, other))
    // Each finger moves the middle between both by half of its own way.
    moveBy((now.x - before.x) / 2, (now.y - before.y) / 2)
  }

  function handlePointerUp(event: PointerEvent) {
    pointers.current.delete(event.pointerId)
  }

  function handleDoubleClick(event: MouseEvent) {
    if (view.scale > 1) setView(wholeImage)
    else zoomBy(scales.doubleTap, pointOf(event))
  }

  function handleKeyDown(event: KeyboardEvent) {
    const key = pressedKey(event) ?? ''
    const arrow = arrows[key]
    if (key === '+' || key === '=') zoomBy(scales.step)
    else if (key === '-') zoomBy(1 / scales.step)
    else if (key === '0') setView(wholeImage)
    else if (arrow !== undefined) moveBy(...arrow)
  }

  // React listens to the wheel passively, but the page must not zoom with a pinch on a touchpad.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read references and change state only
  useEffect(() => {
    const element = frame.current
    function handleWheel(event: WheelEvent) {
      event.preventDefault()
      zoomBy(Math.exp(-event.deltaY / 300), pointOf(event))
    }
    element?.addEventListener('wheel', handleWheel, { passive: false })
    return () => element?.removeEventListener('wheel', handleWheel)
  }, [image.width, image.height])

  return {
    view,
    zoomBy,
    handleKeyDown,
    handlers: {
      onPointerDown: handlePointerDown,
      onPointerMove: handlePointerMove,
      onPointerUp: handlePointerUp,
      onPointerCancel: handlePointerUp,
      onDoubleClick: handleDoubleClick,
    },
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}
