import type { Change } from '../../platform/events/bus.ts'
import type { Binding } from './bindings.ts'

/**
 * How a change appears to a subscriber. `LEFT` is an UPDATE after which the row no longer matches the filter. It is
 * sent as a DELETE with the key alone, since this subscriber may never have received the old row.
 */
export type View = Change['type'] | 'LEFT'

/** Describes one of the frames that a channel receives for a change. */
export interface Shape {
  readonly view: View
  readonly select: readonly string[] | null
  /** The ids of the bindings that match. */
  readonly ids: readonly string[]
  /** The position among the frames of the change, counted from 0. It is the same each time. */
  readonly index: number
}

/** Returns the frames that a channel with these bindings receives for a change. */
export function shapesOf(change: Change, bindings: readonly Binding[]): Shape[] {
  const groups = new Map<string, { view: View; select: Binding['select']; ids: Set<string> }>()
  for (const { event, tests, select, id } of bindings) {
    const view = viewOf(change, { event, tests })
    if (!view) continue
    const key = `${view} ${select?.join() ?? ''}`
    const group = groups.get(key)
    if (group) group.ids.add(id)
    else groups.set(key, { view, select, ids: new Set([id]) })
  }
  return [...groups.values()].map(({ ids, ...group }, index) => ({ ...group, ids: [...ids], index }))
}

function viewOf(change: Change, { event, tests }: Pick<Binding, 'event' | 'tests'>): View | null {
  const test = tests.get(change.table)
  if (!test) return null
  const wants = (type: Change['type']) => event === '*' || event === type
  const passes = (row: object) => test(row as Record<string, unknown>)
  switch (change.type) {
    case 'INSERT':
      return wants('INSERT') && passes(change.record) ? 'INSERT' : null
    case 'DELETE':
      return wants('DELETE') && passes(change.oldRecord) ? 'DELETE' : null
    case 'UPDATE':
      if (passes(change.record)) return wants('UPDATE') ? 'UPDATE' : null
      return wants('DELETE') && passes(change.oldRecord) ? 'LEFT' : null
  }
}
