import { useEffect } from 'react'

const product = 'Hither'

/** Names the page in the tab, the history and to screen readers, for as long as the screen is there. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${product}`
    return () => {
      document.title = product
    }
  }, [title])
}
