import { useLayoutEffect, useRef, useState } from 'react'

/** The height of an element in pixels, as it is and as it becomes. */
export function useHeight<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const [heightPx, setHeightPx] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    setHeightPx(element.clientHeight)
    const observer = new ResizeObserver(() => setHeightPx(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, heightPx] as const
}
