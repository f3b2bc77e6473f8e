import { newId } from '../../../server/src/platform/db/ids.ts'
import type { RecordedStatement } from './tap.ts'
import type { Inputs } from './workloads.ts'

/** The source of a parameter value when a statement is replayed for another call. */
type Source =
  | { readonly constant: string | null }
  | { readonly input: string }
  | { readonly inputs: string }
  /** A new id. Within a call, equal names have the same id. */
  | { readonly fresh: string }
  | { readonly freshMany: number }
  /** An offset from the time of the call. */
  | { readonly afterMs: number }
  | { readonly joined: readonly Source[] }

export interface Statement {
  readonly text: string
  readonly types: readonly number[]
  readonly values: readonly Source[]
}

/** The statements that the product runs during one call. */
export interface CallStatements {
  readonly isTransaction: boolean
  readonly statements: readonly Statement[]
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Turns the recorded statements of a call into templates, with sources instead of the values of the call. */
export function generalise(recorded: readonly RecordedStatement[], inputs: Inputs, calledAt: number): CallStatements {
  const isFrame = ({ text }: RecordedStatement) => /^(?:begin|commit)\b/i.test(text.trim())
  return {
    isTransaction: recorded.some(isFrame),
    statements: recorded
      .filter((one) => !isFrame(one))
      .map(({ text, types, values }) => ({
        text,
        types,
        values: values.map((value) => sourceOf(value, inputs, calledAt)),
      })),
  }
}

function sourceOf(value: string | null, inputs: Inputs, calledAt: number): Source {
  if (value === null) return { constant: null }
  for (const [name, input] of Object.entries(inputs)) {
    if (input === value) return { input: name }
    if (Array.isArray(input) && isSame(input, elementsOf(value))) return { inputs: name }
  }
  if (instant.test(value)) {
    const afterMs = Date.parse(value) - calledAt
    // A value close to the time of the call comes from the clock.
    return { afterMs: Math.abs(afterMs) < 2000 ? 0 : afterMs }
  }
  const ids = value.match(uuid) ?? []
  if (ids.length === 0) return { constant: value }
  if (value.startsWith('{') && !ids.some((id) => Object.values(inputs).includes(id))) return { freshMany: ids.length }
  const texts = value.split(uuid)
  const parts = texts.flatMap((text, index): Source[] => {
    const id = ids[index]
    const name = Object.keys(inputs).find((key) => inputs[key] === id)
    const constant = text === '' ? [] : [{ constant: text }]
    if (id === undefined) return constant
    return [...constant, name === undefined ? { fresh: id } : { input: name }]
  })
  return parts.length === 1 && parts[0] ? parts[0] : { joined: parts }
}

function elementsOf(value: string): string[] | null {
  return value.startsWith('{') ? value.slice(1, -1).replaceAll('"', '').split(',') : null
}

function isSame(some: readonly string[], others: readonly string[] | null): boolean {
  return others !== null && some.length === others.length && new Set([...some, ...others]).size === some.length
}

/** Returns the parameter value for one call. */
type Fill = (inputs: Inputs, fresh: Map<string, string>) => string | null

export function fillOf(source: Source): Fill {
  if ('constant' in source) return () => source.constant
  if ('input' in source) return (inputs) => inputs[source.input] as string
  if ('inputs' in source) return (inputs) => `{${(inputs[source.inputs] as string[]).join(',')}}`
  if ('afterMs' in source) return () => new Date(Date.now() + source.afterMs).toISOString()
  if ('freshMany' in source)
    return () => `{${Array.from({ length: source.freshMany }, () => newId<string>()).join(',')}}`
  if ('joined' in source) {
    const fills = source.joined.map(fillOf)
    return (inputs, fresh) => fills.map((fill) => fill(inputs, fresh)).join('')
  }
  return (_, fresh) => {
    const id = fresh.get(source.fresh) ?? newId<string>()
    fresh.set(source.fresh, id)
    return id
  }
}
