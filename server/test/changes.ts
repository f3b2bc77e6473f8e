import { pino } from 'pino'
import { type Bus, type Change } from '../src/platform/bus.ts'
import { type Changes, createChanges } from '../src/platform/changes.ts'
import { type Pool } from '../src/platform/database.ts'
import { type Outbox, openOutbox, outboxLimits } from '../src/platform/events/outbox.ts'
import { createTimestampSource } from '../src/platform/monotonic-timestamps.ts'

export interface TestNode {
  /** `now` is the clock by which changes are announced. */
  changesAt(now: () => Date): Changes
  readonly outbox: Outbox
}

/**
 * What another node on this database would have. Its bus also delivers what other nodes commit; `onChange` is called only
 * for what is committed through it. The caller stops the outbox before the pool closes.
 */
export async function openNode(pool: Pool, bus: Bus, onChange: (change: Change) => void = () => {}): Promise<TestNode> {
  const log = pino({ level: 'silent' })
  const outbox = await openOutbox({ pool, bus, peers: null, log }, { seconds: outboxLimits.startSeconds })
  const observed: Outbox = {
    ...outbox,
    async committed(appending) {
      await outbox.committed(appending)
      for (const event of appending.events)
        if (event.kind === 'changes') for (const change of event.changes) onChange(change)
    },
  }
  return { outbox, changesAt: (now) => createChanges(bus, observed, createTimestampSource(null), now) }
}
