import { type Change } from '../platform/bus.ts'
import { type Binding } from './bindings.ts'

/**
 * How a change looks to a subscriber. `LEFT` is an UPDATE that took the row out of their filter: told as a DELETE of its
 * key alone, since the one who now hears of it need not have been shown the row as it was.
 */
export type View = Change['type'] | 'LEFT'

/** Which of the frames that a change is worth to one channel. */
export interface Shape {
  readonly view: View
  readonly select: readonly string[] | null
  /** Of the bindings that it answers. */
  readonly ids: readonly string[]
  /** Counted from 0, the same each time. */
  readonly index: number
}

/** The frames that a change is worth to a channel with these bindings. */
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
