import type { ComponentProps, ReactNode } from 'react'
import { useServerNow } from '../api/server-time.ts'
import type { PinsLayer } from '../map/pins/PinsLayer.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { homePins, type OnTheMap } from './home-pins.ts'

const LazyPinsLayer = lazyComponent(async () => (await import('../map/pins/PinsLayer.tsx')).PinsLayer)

type Props = OnTheMap &
  Omit<ComponentProps<typeof PinsLayer>, 'pins' | 'card'> & {
    /** Called at each tick of the clock. */
    card: () => ReactNode
  }

/** A separate component, because the clock renders it every second and the rest of the screen not. */
export function HomePins({ pings, waiting, viewer, card, ...layer }: Props) {
  const nowMs = useServerNow(1000)
  return <LazyPinsLayer {...layer} card={card()} pins={homePins({ pings, waiting, viewer, nowMs })} />
}
