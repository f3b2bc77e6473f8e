import { useEffect, useState } from 'react'

/** The latest value that did not change for `afterMs`. */
export function useDebouncedValue<T>(value: T, afterMs: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return debounced
}
