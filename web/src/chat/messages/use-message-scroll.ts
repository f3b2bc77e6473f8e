import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import type { MessageRow, Newest } from './message-rows.ts'

/** The distance from the end that counts as the end, in pixels. */
const bottomPx = 60
/** More messages are loaded when the start or the end of the list is within this distance, in pixels. */
const aheadPx = 1200

interface View {
  rows: readonly MessageRow[]
  /** The index of the row at which the list opens, or -1 to open it at the end. */
  firstUnread: number
  /** Newer messages exist below the last row. */
  hasNewer: boolean
  /** The newest message of the conversation, also if it is not among the rows. */
  newest: Newest | undefined
  onNearTop: () => void
  onNearBottom: () => void
  /** Called to show the end of the conversation while newer messages exist below the rows. */
  onLeave: () => void
}

/** A row at which the list stays until the user scrolls. */
interface Anchor {
  key: string
  isCentered: boolean
}

/**
 * Starts at the row `firstUnread`, or at the end if it is -1. Then scrolls to each new message while the end is visible,
 * and keeps the position otherwise.
 */
export function useMessageScroll(view: View) {
  const { rows, firstUnread, hasNewer, newest, onNearTop, onNearBottom, onLeave } = view
  const list = useRef<VirtualizerHandle>(null)
  const wasUnreadShown = useRef(false)
  const anchor = useRef<Anchor | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const place = useRef({ top: 0, height: 0 })
  const current = useRef(view)
  current.current = view
  const shown = useRef<{ first: string | undefined; newest: Newest | undefined }>({
    first: undefined,
    newest: undefined,
  })
  const [isAtBottom, setIsAtBottom] = useState(firstUnread < 0)
  const [hasNew, setHasNew] = useState(false)

  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  const wasFirst = shown.current.first
  /** Rows were added at the start: the distance to the end stays the same. */
  const isPrepended = wasFirst !== undefined && first !== wasFirst && rows.some(({ key }) => key === wasFirst)

  // Older messages that load may precede the first unread one that is known.
  if (anchor.current !== null && !anchor.current.isCentered && firstUnread >= 0)
    anchor.current = { key: rows[firstUnread]?.key ?? '', isCentered: false }

  useLayoutEffect(() => {
    const { newest: wasNewest } = shown.current
    shown.current = { first, newest }
    // After a deletion the newest message is an older one.
    if (newest === undefined || newest.key === wasNewest?.key || newest.seq < (wasNewest?.seq ?? 0)) return
    const isOwnWord = wasNewest !== undefined && newest.isUnsent
    if (firstUnread >= 0 && sticks.current && !wasUnreadShown.current) anchorUnread()
    else if (sticks.current || isOwnWord) scrollToBottom()
    else if (!newest.isOwn) setHasNew(true)
  })

  // The end of the conversation was requested and is loaded now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `scrollToBottom` reads references only
  useLayoutEffect(() => {
    if (!hasNewer && sticks.current && anchor.current === null) scrollToBottom()
  }, [hasNewer])

  // Rows are measured after rendering, and the on-screen keyboard changes the height: both move the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keepPosition` reads references only
  useLayoutEffect(() => {
    const [box, rows] = [scroller.current, content.current]
    if (box === null || rows === null) return
    const observer = new ResizeObserver(() => {
      if (anchor.current !== null) keepPosition()
      else if (sticks.current) box.scrollTop = box.scrollHeight
      place.current = { top: box.scrollTop, height: box.scrollHeight }
    })
    observer.observe(box)
    observer.observe(rows)
    return () => observer.disconnect()
  }, [])

  // Checks again after each page, because the page may not fill the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page changes the first or the last row
  useEffect(() => {
    loadAhead()
  }, [first, last])

  function scrollToBottom() {
    anchor.current = null
    sticks.current = true
    setHasNew(false)
    if (current.current.hasNewer) return onLeave()
    setIsAtBottom(true)
    const box = scroller.current
    if (box !== null) box.scrollTop = box.scrollHeight
  }

  function anchorUnread() {
    wasUnreadShown.current = true
    anchor.current = { key: rows[firstUnread]?.key ?? '', isCentered: false }
    keepPosition()
  }

  /** Scrolls to a row, and stays there while rows above it are measured and loaded. */
  function scrollToRow(key: string) {
    anchor.current = { key, isCentered: true }
    keepPosition()
  }

  /** Before other messages are shown: keeps the list from following its end. */
  function release() {
    sticks.current = false
    anchor.current = null
    wasUnreadShown.current = true
  }

  /** Rows above the anchor are measured and loaded after the first rendering, so its position changes. */
  function keepPosition() {
    const box = scroller.current
    if (box === null) return
    box.scrollTop = anchorPx(box)
    // Few messages are all visible: then this is the end.
    sticks.current = isNearEnd(box)
    setIsAtBottom(sticks.current)
  }

  function anchorPx(box: HTMLElement): number {
    const { rows } = current.current
    const index = rows.findIndex(({ key }) => key === anchor.current?.key)
    if (list.current === null || index < 0) return box.scrollTop
    const top = list.current.getItemOffset(index)
    if (anchor.current?.isCentered !== true) return top
    return Math.max(0, top - Math.max(0, (box.clientHeight - list.current.getItemSize(index)) / 2))
  }

  function handleScroll() {
    const box = scroller.current
    if (box === null) return
    const { scrollTop: top, scrollHeight: height, clientHeight } = box
    // A change of height also changes the scroll position. Only the user scrolling back leaves the end.
    const isLeaving = height === place.current.height && top < place.current.top
    if (anchor.current !== null && height === place.current.height) {
      const isAnchored = Math.abs(top - Math.min(anchorPx(box), height - clientHeight)) < bottomPx
      if (!isAnchored) anchor.current = null
    }
    place.current = { top, height }
    if (isNearEnd(box)) sticks.current = true
    else if (isLeaving || anchor.current !== null) sticks.current = false
    setIsAtBottom(sticks.current && !hasNewer)
    if (sticks.current) setHasNew(false)
    loadAhead()
  }

  /** Also loads older messages if the content does not fill the screen and cannot be scrolled. */
  function loadAhead() {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {}
    if (clientHeight === 0) return
    const isFilled = scrollHeight > clientHeight + bottomPx
    if (scrollTop < aheadPx && !(sticks.current && isFilled)) onNearTop()
    if (hasNewer && scrollHeight - clientHeight - scrollTop < aheadPx) onNearBottom()
  }

  /** The last row is the end only if no newer messages exist. */
  function isNearEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
    return !current.current.hasNewer && scrollHeight - clientHeight - scrollTop < bottomPx
  }

  return {
    scroller,
    content,
    list,
    isPrepended,
    isAtBottom: isAtBottom && !hasNewer,
    hasNew,
    scrollToBottom,
    scrollToRow,
    release,
    handleScroll,
  }
}
