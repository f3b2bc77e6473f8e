import { useEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '../engine/reduced-motion.ts'
import { cameraMs } from '../map-defaults.ts'
import type { Pin } from './pins.ts'

/** Pins that were just removed (expired, deleted or no longer shared) and are still shown while they fade out. */
export function useExitingPins(pins: readonly Pin[], shown: readonly Pin[]): readonly Pin[] {
  const before = useRef<ReadonlyMap<string, Pin>>(new Map())
  const [leaving, setLeaving] = useState<readonly Pin[]>([])

  useEffect(() => {
    const now = new Set(pins.map(({ id }) => id))
    const removed = [...before.current.values()].filter(({ id }) => !now.has(id))
    before.current = new Map(shown.map((pin) => [pin.id, pin]))
    if (removed.length === 0 || prefersReducedMotion()) return
    setLeaving((others) => [...others, ...removed])
    setTimeout(() => setLeaving((others) => others.filter((pin) => !removed.includes(pin))), cameraMs)
  }, [pins, shown])

  return leaving
}
