import { type RefObject, useEffect, useState } from 'react'

/** How far below or above the viewport an element counts as near. */
const marginPx = 200

/** Whether the element has been near the viewport. Always false before the first paint of the page. */
export function useIsNear(ref: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false)

  useEffect(() => {
    const element = ref.current
    if (isNear || element === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsNear(true), {
      rootMargin: `${marginPx}px`,
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    // The task after a frame runs when the frame is painted.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => observer.observe(element))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [ref, isNear])

  return isNear
}
