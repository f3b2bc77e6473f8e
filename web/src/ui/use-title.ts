import { useEffect } from 'react'

const product = 'Hither'

/**
 * Sets the document title for as long as the screen is mounted, or leaves it with `null`. The tab, the history and
 * screen readers show it.
 */
export function useTitle(title: string | null) {
  useEffect(() => {
    if (title === null) return
    document.title = `${title} · ${product}`
    return () => {
      document.title = product
    }
  }, [title])
}
