import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type MessageRow } from './message-rows.ts'

/** So near the end counts as at the end. */
const bottomPx = 60
/** Older messages are asked for before the first is in sight. */
const topPx = 1200

/** Stays at the newest message while it is in sight, and in place while it is not. */
export function useMessageScroll(rows: readonly MessageRow[], onNearTop: () => void) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const place = useRef({ top: 0, height: 0 })
  const shown = useRef<{ first: string | undefined; last: string | undefined }>({ first: undefined, last: undefined })
  const [isAtBottom, setIsAtBottom] = useState(true)
  const [hasNew, setHasNew] = useState(false)

  const first = rows[0]?.key
  const last = rows.at(-1)
  const wasFirst = shown.current.first
  /** Rows came above those that are there: the place is kept counted from the end. */
  const isPrepended = wasFirst !== undefined && first !== wasFirst && rows.some(({ key }) => key === wasFirst)

  useLayoutEffect(() => {
    const { last: wasLast } = shown.current
    shown.current = { first, last: last?.key }
    if (last === undefined || last.key === wasLast) return
    const isOwnWord = wasLast !== undefined && last.kind === 'outgoing'
    if (sticks.current || isOwnWord) scrollToBottom()
    else if (!last.isOwn) setHasNew(true)
  })

  // Rows are measured once they are drawn, the keyboard comes and goes: each moves the end away.
  useLayoutEffect(() => {
    const [box, rows] = [scroller.current, content.current]
    if (box === null || rows === null) return
    const observer = new ResizeObserver(() => {
      if (sticks.current) box.scrollTop = box.scrollHeight
      place.current = { top: box.scrollTop, height: box.scrollHeight }
    })
    observer.observe(box)
    observer.observe(rows)
    return () => observer.disconnect()
  }, [])

  // Again after each page, which may not fill the screen either.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another first row is what a page brings
  useEffect(() => {
    askAhead()
  }, [first])

  function scrollToBottom() {
    sticks.current = true
    setHasNew(false)
    setIsAtBottom(true)
    const box = scroller.current
    if (box !== null) box.scrollTop = box.scrollHeight
  }

  function handleScroll() {
    const box = scroller.current
    if (box === null) return
    const { scrollTop: top, scrollHeight: height, clientHeight } = box
    // What grows or shrinks moves the place too; only who scrolls back leaves the end.
    const isLeaving = height === place.current.height && top < place.current.top
    place.current = { top, height }
    if (height - clientHeight - top < bottomPx) sticks.current = true
    else if (isLeaving) sticks.current = false
    setIsAtBottom(sticks.current)
    if (sticks.current) setHasNew(false)
    askAhead()
  }

  /** Also where what there is does not fill the screen, so that there is nothing to scroll. */
  function askAhead() {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {}
    const isFilled = scrollHeight > clientHeight + bottomPx
    if (clientHeight > 0 && scrollTop < topPx && !(sticks.current && isFilled)) onNearTop()
  }

  return { scroller, content, isPrepended, isAtBottom, hasNew, scrollToBottom, handleScroll }
}
