import { type ComponentProps, type ReactNode } from 'react'
import { useServerNow } from '../api/server-time.ts'
import { type PinsLayer } from '../map/PinsLayer.tsx'
import { late } from '../ui/late.tsx'
import { homePins, type OnTheMap } from './home-pins.ts'

const LatePinsLayer = late(async () => (await import('../map/PinsLayer.tsx')).PinsLayer)

type Props = OnTheMap &
  Omit<ComponentProps<typeof PinsLayer>, 'pins' | 'card'> & {
    /** Asked for at each beat of the clock. */
    card: () => ReactNode
  }

/** By itself, as the clock draws it anew each second and nothing else of the screen. */
export function HomePins({ pings, waiting, viewer, card, ...layer }: Props) {
  const nowMs = useServerNow(1000)
  return <LatePinsLayer {...layer} card={card()} pins={homePins({ pings, waiting, viewer, nowMs })} />
}
