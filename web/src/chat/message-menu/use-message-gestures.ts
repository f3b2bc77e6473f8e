import type { MessageId } from '@hither/contract/ids.ts'
import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { isRightToLeft, readingDirection } from '../../i18n/language.ts'

interface Gestures {
  /** A long press, or a click with the right mouse button. */
  onMenu: (messageId: MessageId, bubble: HTMLElement) => void
  /** A swipe in the direction of reading. Absent if the viewer cannot reply. */
  onReply: ((messageId: MessageId) => void) | undefined
}

interface Touch {
  id: number
  messageId: MessageId
  row: HTMLElement
  bubble: HTMLElement
  x: number
  y: number
  isSwipe: boolean
  timer: ReturnType<typeof setTimeout>
}

const longPressMs = 450
/** A finger that moves further does not press. */
const stillPx = 10
const replyPx = 56
const swipeMaxPx = 80
/** The edge of the screen belongs to the gestures of the system. */
const edgePx = 24

/** Returns the event handlers for the list, which recognize gestures on its rows. Each gesture has an entry in the menu too. */
export function useMessageGestures({ onMenu, onReply }: Gestures) {
  const touch = useRef<Touch | null>(null)
  /** The click that a browser may send after a long press must not close the menu. */
  const ignoresClick = useRef(false)

  useEffect(() => () => clearTimeout(touch.current?.timer), [])

  function handlePointerDown(event: PointerEvent) {
    end()
    ignoresClick.current = false
    const target = event.target as HTMLElement
    const row = target.closest<HTMLElement>('[data-message]')
    const bubble = target.closest<HTMLElement>('[data-bubble]')
    if (event.pointerType !== 'touch' || row === null || bubble === null || target.closest('a') !== null) return
    const messageId = row.dataset['message'] as MessageId
    touch.current = {
      id: event.pointerId,
      messageId,
      row,
      bubble,
      x: event.clientX,
      y: event.clientY,
      isSwipe: false,
      timer: setTimeout(() => {
        end()
        ignoresClick.current = true
        onMenu(messageId, bubble)
      }, longPressMs),
    }
  }

  function handlePointerMove(event: PointerEvent) {
    const { current } = touch
    if (current === null || event.pointerId !== current.id) return
    const [dx, dy] = [readingDirection * (event.clientX - current.x), event.clientY - current.y]
    if (!current.isSwipe) {
      if (Math.hypot(dx, dy) < stillPx) return
      clearTimeout(current.timer)
      const fromEdgePx = isRightToLeft ? window.innerWidth - current.x : current.x
      const isForward = dx > 1.5 * Math.abs(dy) && fromEdgePx > edgePx && onReply !== undefined
      if (!isForward) return end()
      current.isSwipe = true
    }
    const px = Math.max(0, Math.min(swipeMaxPx, dx))
    current.row.style.transform = `translateX(${readingDirection * px}px)`
    current.row.dataset['swipe'] = px >= replyPx ? 'ready' : 'started'
  }

  function handlePointerUp(event: PointerEvent) {
    const { current } = touch
    if (current === null || event.pointerId !== current.id) return
    const replies = current.isSwipe && readingDirection * (event.clientX - current.x) >= replyPx
    // The end of a swipe is not a tap.
    ignoresClick.current = current.isSwipe
    end()
    if (replies) onReply?.(current.messageId)
  }

  function end() {
    const { current } = touch
    if (current === null) return
    clearTimeout(current.timer)
    current.row.style.transform = ''
    delete current.row.dataset['swipe']
    touch.current = null
  }

  function handleClickCapture(event: MouseEvent) {
    // A key also causes a click, without a count.
    if (!ignoresClick.current || event.detail === 0) return
    ignoresClick.current = false
    event.stopPropagation()
    event.preventDefault()
  }

  function handleContextMenu(event: MouseEvent) {
    const target = event.target as HTMLElement
    const bubble = target.closest<HTMLElement>('[data-bubble]')
    const messageId = target.closest<HTMLElement>('[data-message]')?.dataset['message']
    if (bubble === null || messageId === undefined || target.closest('a') !== null) return
    // A selected text keeps the menu of the browser.
    if (window.getSelection()?.isCollapsed === false) return
    event.preventDefault()
    // On a touch screen the long press has opened the menu already, or its timer opens it.
    if (touch.current === null && !ignoresClick.current) onMenu(messageId as MessageId, bubble)
  }

  return {
    onPointerDown: handlePointerDown,
    onPointerMove: handlePointerMove,
    onPointerUp: handlePointerUp,
    onPointerCancel: end,
    onClickCapture: handleClickCapture,
    onContextMenu: handleContextMenu,
  }
}
