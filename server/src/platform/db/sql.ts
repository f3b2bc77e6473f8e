import pg from 'pg'

/** A row without declared columns. */
// biome-ignore lint/suspicious/noExplicitAny: a caller that names no row type reads columns without a check, as with any driver
export type Row = Record<string, any>

/**
 * The rows of a statement. `count` is how many rows it returned or wrote, `command` its name, for instance `INSERT`.
 */
export type Rows<T extends readonly unknown[] = Row[]> = T & { readonly count: number; readonly command: string }

/** What is sent for a statement: its text with `$1`, `$2`, … and the values. */
export interface StatementText {
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether PostgreSQL keeps the statement prepared on the connection. */
  readonly isPrepared: boolean
}

/** Sends a statement. Rejects with `pg.DatabaseError`, or with the error of `connectionLost`. */
type Send = (statement: StatementText) => Promise<Rows>

/** The quoted name of a table or column, or a list of names. */
class Identifier {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * A statement that is sent when it is awaited or `execute` is called. Until then it can be part of another template. It
 * is sent once, even if it is awaited several times.
 */
class Query<T extends readonly unknown[] = Row[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  readonly #send: Send
  readonly #isPrepared: boolean
  #rows: Promise<Rows<T>> | null = null

  constructor(send: Send, texts: readonly string[], values: readonly unknown[], isPrepared = true) {
    this.#send = send
    this.texts = texts
    this.values = values
    this.#isPrepared = isPrepared
  }

  /** Sends the statement now. An error is reported to the callers that await it. */
  execute(): this {
    this.#run().catch(() => undefined)
    return this
  }

  /** The text and the values, for a statement that contains this one. */
  statement(): StatementText {
    return compile(this.texts, this.values, this.#isPrepared)
  }

  // biome-ignore lint/suspicious/noThenProperty: a query is awaited like a promise, and sent only then
  then<A = Rows<T>, B = never>(
    onFulfilled?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Rows<T> | B> {
    return this.#run().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Rows<T>> {
    return this.#run().finally(onFinally)
  }

  #run(): Promise<Rows<T>> {
    this.#rows ??= this.#start()
    return this.#rows
  }

  async #start(): Promise<Rows<T>> {
    return (await this.#send(this.statement())) as unknown as Rows<T>
  }
}

/** A query that has not been sent yet, with the rows it returns. */
export type PendingQuery<T extends readonly unknown[] = Row[]> = Query<T>

export function isQuery(value: unknown): value is PendingQuery {
  return value instanceof Query
}

/** A value in a template, which is bound and never becomes SQL text, or a part of the statement. */
// biome-ignore lint/suspicious/noExplicitAny: a part may return rows of any type
type Parameter = Value | Identifier | Query<any>
type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[]

interface UnsafeOptions {
  /** Keeps the statement prepared on its connection. Only for texts of which the program has a fixed number. */
  readonly prepare?: boolean
}

/**
 * Queries the database as a tag of a template. Called with the name of a table or column, or a list of names, it
 * returns an identifier.
 */
export interface Sql {
  <T extends readonly unknown[] = Row[]>(texts: TemplateStringsArray, ...values: readonly Parameter[]): Query<T>
  (name: string | readonly string[]): Identifier
  /** A constant text of the program, never of a caller. Without values it may contain several statements. */
  unsafe<T extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: UnsafeOptions,
  ): Query<T>
}

export function createSql(send: Send): Sql {
  const sql = (first: TemplateStringsArray | string | readonly string[], ...values: readonly Parameter[]) => {
    if (typeof first === 'string') return new Identifier(pg.escapeIdentifier(first))
    if (!('raw' in first)) return new Identifier(first.map((name) => pg.escapeIdentifier(name)).join(', '))
    return new Query(send, first, values)
  }
  const unsafe = (text: string, values: readonly unknown[] = [], { prepare = false }: UnsafeOptions = {}) =>
    new Query(send, [text], values, prepare)
  return Object.assign(sql, { unsafe }) as unknown as Sql
}

/** What is sent, by the texts of a template whose values are all bound. */
const compiled = new WeakMap<readonly string[], string>()

function compile(texts: readonly string[], values: readonly unknown[], isPrepared: boolean): StatementText {
  // A text of `unsafe` numbers its values itself.
  if (texts.length === 1) return { text: texts[0] as string, values: values.map(encode), isPrepared }
  if (!values.some(isPart)) {
    let text = compiled.get(texts)
    if (text === undefined) {
      text = texts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join('')
      compiled.set(texts, text)
    }
    return { text, values: values.map(encode), isPrepared }
  }
  const bound: unknown[] = []
  return { text: join(texts, values, bound), values: bound, isPrepared }
}

function isPart(value: unknown): value is Identifier | Query {
  return value instanceof Identifier || value instanceof Query
}

function join(texts: readonly string[], values: readonly unknown[], bound: unknown[]): string {
  let text = texts[0] as string
  for (const [index, value] of values.entries()) {
    if (value instanceof Identifier) text += value.text
    else if (value instanceof Query) text += join(value.texts, value.values, bound)
    else text += `$${bound.push(encode(value))}`
    text += texts[index + 1] ?? ''
  }
  return text
}

/**
 * Converts a value to the form that the driver sends. Times have milliseconds and are in UTC. Throws for `undefined`,
 * which is a bug in the program.
 */
function encode(value: unknown): unknown {
  if (value === undefined) throw new TypeError('A value of a statement is undefined')
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(encode) : value
}
