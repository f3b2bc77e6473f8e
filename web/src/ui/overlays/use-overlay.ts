import { useEffect, useEffectEvent } from 'react'
import { addOverlay } from './overlay-history.ts'

/** Closes the overlay when the user goes back while it is open and above all others. */
export function useOverlay(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isOpen) return addOverlay({ close: () => close() })
  }, [isOpen])
}
