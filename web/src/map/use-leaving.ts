import { useEffect, useRef, useState } from 'react'
import { cameraMs } from './map-defaults.ts'
import { type Pin } from './pins.ts'
import { prefersStillness } from './stillness.ts'

/** Pins that were shown a moment ago and are no more: expired, deleted, no longer shared. They fade out. */
export function useLeaving(pins: readonly Pin[], shown: readonly Pin[]): readonly Pin[] {
  const before = useRef<ReadonlyMap<string, Pin>>(new Map())
  const [leaving, setLeaving] = useState<readonly Pin[]>([])

  useEffect(() => {
    const now = new Set(pins.map(({ id }) => id))
    const gone = [...before.current.values()].filter(({ id }) => !now.has(id))
    before.current = new Map(shown.map((pin) => [pin.id, pin]))
    if (gone.length === 0 || prefersStillness()) return
    setLeaving((others) => [...others, ...gone])
    setTimeout(() => setLeaving((others) => others.filter((pin) => !gone.includes(pin))), cameraMs)
  }, [pins, shown])

  return leaving
}
