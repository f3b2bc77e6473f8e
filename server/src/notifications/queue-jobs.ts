import type { Bus, BusMessage } from '../events/bus.ts'

/** The longest pause of a queue's job. Items that another node did not finish are noticed after it. */
export const queuePollMs = 10_000

/** Wakes a queue's job with the bus message that says that something was queued. */
export function wakenBy(bus: Bus, kind: BusMessage['kind']): (wake: () => void) => () => void {
  return (wake) =>
    bus.subscribe((message) => {
      if (message.kind === kind) wake()
    })
}
