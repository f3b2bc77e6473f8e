import { type RefObject, useEffect, useRef, useState } from 'react'
import { pressedKey } from '../../ui/pressed-key.ts'

/** Whether the map reacts to the user: from a tap until Escape or a tap outside of it. */
export function useMapActivation(frame: RefObject<HTMLElement | null>) {
  const [isActive, setIsActive] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)

  useEffect(() => {
    if (!isActive) {
      if (returnsFocus.current) button.current?.focus({ preventScroll: true })
      returnsFocus.current = false
      return
    }
    function handleKeyDown(event: KeyboardEvent) {
      if (pressedKey(event) !== 'Escape') return
      returnsFocus.current = frame.current?.contains(document.activeElement) ?? false
      setIsActive(false)
    }
    function handlePointerDown({ target }: PointerEvent) {
      if (target instanceof Node && !frame.current?.contains(target)) setIsActive(false)
    }
    document.addEventListener('keydown', handleKeyDown)
    document.addEventListener('pointerdown', handlePointerDown)
    return () => {
      document.removeEventListener('keydown', handleKeyDown)
      document.removeEventListener('pointerdown', handlePointerDown)
    }
  }, [isActive, frame])

  return { isActive, button, activate: () => setIsActive(true) }
}
