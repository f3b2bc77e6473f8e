import { pino } from 'pino'
import type { Bus, Change } from '../src/events/bus.ts'
import { type Changes, createChanges } from '../src/events/changes.ts'
import { type Outbox, openOutbox } from '../src/events/outbox.ts'
import { createRecentEvents } from '../src/events/recent-events.ts'
import { changeOfMember } from '../src/events/unread-counts.ts'
import { queuePushes } from '../src/notifications/push/pushes.service.ts'
import type { Pool } from '../src/platform/db/database.ts'

export interface TestNode {
  /** `now` is the clock for the timestamps of changes. */
  changesAt(now: () => Date): Changes
  readonly outbox: Outbox
}

/**
 * Opens the outbox of another node on this database. The bus also delivers the changes that other nodes commit. `onChange`
 * receives only the changes that are committed through this node. The caller stops the outbox before closing the pool.
 */
export async function openNode(pool: Pool, bus: Bus, onChange: (change: Change) => void = () => {}): Promise<TestNode> {
  const log = pino({ level: 'silent' })
  const outbox = await openOutbox({ pool, bus, peers: null, log, recent: createRecentEvents() })
  const observed: Outbox = {
    ...outbox,
    async committed(appending) {
      await outbox.committed(appending)
      for (const event of appending.events) {
        if (event.kind === 'changes') for (const change of event.changes) onChange(change)
        if (event.kind === 'unread_counts_changed')
          for (const member of event.members) onChange(changeOfMember(event, member))
      }
    },
  }
  return {
    outbox,
    changesAt(now) {
      const changes = createChanges(bus, observed, now)
      changes.subscribe(queuePushes)
      return changes
    },
  }
}
