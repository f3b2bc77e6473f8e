import type { Change } from '../../events/bus.ts'
import type { Binding } from './bindings.ts'
import { passes } from './filters.ts'

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
  for (const binding of bindings) {
    const view = viewOf(change, binding)
    const { select, id } = binding
    if (!view) continue
    const key = `${view} ${select?.join() ?? ''}`
    const group = groups.get(key)
    if (group) group.ids.add(id)
    else groups.set(key, { view, select, ids: new Set([id]) })
  }
  return [...groups.values()].map(({ ids, ...group }, index) => ({ ...group, ids: [...ids], index }))
}

function viewOf(change: Change, { event, tables, filter }: Binding): View | null {
  if (!tables.has(change.table)) return null
  const wants = (type: Change['type']) => event === '*' || event === type
  const selects = (row: object) => passes(filter, row as Record<string, unknown>)
  switch (change.type) {
    case 'INSERT':
      return wants('INSERT') && selects(change.record) ? 'INSERT' : null
    case 'DELETE':
      return wants('DELETE') && selects(change.oldRecord) ? 'DELETE' : null
    case 'UPDATE':
      if (selects(change.record)) return wants('UPDATE') ? 'UPDATE' : null
      return wants('DELETE') && selects(change.oldRecord) ? 'LEFT' : null
  }
}
