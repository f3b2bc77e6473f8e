import { useLayoutEffect, useRef, useState } from 'react'

/** Returns a ref and the current height of its element in pixels. */
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
