import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * The fields that a log line may have, also if a library writes it with the same logger. Values
 * must come from the operator, never from users: no positions, addresses, messages, names or tokens.
 */
const allowedFields = new Set([
  ...['attempts', 'bytes', 'code', 'count', 'err', 'files', 'incident', 'kind', 'map', 'method', 'ms', 'name', 'path'],
  ...['part', 'reason', 'reqId', 'responseCode', 'route', 'rows', 'seconds', 'status', 'template', 'unsentBytes'],
])

/** The fields of an error that are identifiers of a program or a schema. A value of another form is left out. */
const errorFields = ['code', 'syscall', 'severity', 'routine', 'table', 'column', 'constraint'] as const
const identifier = /^[A-Za-z0-9_.-]{1,64}$/

const causesMax = 3
const framesMax = 30

/** What of an error is logged. */
interface LoggedError {
  readonly type: string
  /** The constant beginning of the message: what follows may contain values. */
  readonly message: string
  /** The frames, without the message that JavaScript puts before them. */
  readonly stack: readonly string[]
  readonly cause?: LoggedError
  readonly [field: string]: unknown
}

/** The log of the server: one JSON object a line, with the allowed fields and nothing else, at every level. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    formatters: { log: (fields: Record<string, unknown>) => pick(fields) },
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: {
      logMethod(this: Logger, args: unknown[], method: (...args: unknown[]) => void) {
        const [first, second] = args
        const isText = typeof first === 'string'
        const message = isText ? first : second
        // Always with a message: without one, pino takes that of the error. What is to be filled in is left out.
        const fixed = typeof message === 'string' ? fixedBeginning(message) : 'no message'
        if (isText) method.call(this, fixed)
        else method.call(this, first instanceof Error ? { err: first } : first, fixed)
      },
    },
  }
  // pino writes the types of the hook for its own overloads.
  return (destination ? pino(options as object, destination) : pino(options as object)) as Logger
}

/** Describes an error for the log by an allow-list. Errors of drivers contain the statement, its parameters and whole rows. */
export function describeError(error: unknown, causesLeft = causesMax): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: [] }
  const { cause } = error
  return {
    type: nameOf(error),
    message: fixedBeginning(error.message),
    ...fieldsOf(error),
    stack: framesOf(error),
    ...(cause instanceof Error && causesLeft > 0 && { cause: describeError(cause, causesLeft - 1) }),
    ...(error instanceof AggregateError &&
      causesLeft > 0 && { errors: error.errors.slice(0, causesMax).map((one) => describeError(one, causesLeft - 1)) }),
  }
}

function pick(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allowedFields.has(name)))
}

function fieldsOf(error: Error): Record<string, string | number> {
  const values = error as unknown as Record<string, unknown>
  const command = values['command'] as { name?: unknown } | undefined
  const found: Record<string, unknown> = { command: command?.name }
  for (const name of errorFields) found[name] = values[name]
  const isSafe = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && identifier.test(value))
  return Object.fromEntries(Object.entries(found).filter(([, value]) => isSafe(value))) as Record<string, string>
}

function nameOf(error: Error): string {
  // The database driver names every error `error`.
  const found = error.name.toLowerCase() === 'error' ? error.constructor.name : error.name
  return identifier.test(found) ? found : 'Error'
}

/** Letters, with a hyphen, an underscore or an apostrophe inside, and a mark of punctuation at the end. */
const word = /^\p{L}+(?:[-_'’]\p{L}+)*[.,:;!]?$/u

/**
 * The words of a message up to the first that may be a value: quoted, in brackets, with a digit, an `@` or a slash. Libraries
 * and the database put what users sent behind a fixed beginning.
 */
export function fixedBeginning(message: string): string {
  const words = message.slice(0, 300).split(/\s+/)
  const end = words.findIndex((one) => !word.test(one) || one.length > 40)
  return words.slice(0, end === -1 ? words.length : end).join(' ')
}

const frame = /^\s+at (?:[\w$.<>[\] #*]+ \()?(?:file:|node:|\/|<anonymous>|async |native)[^\n]*$/

function framesOf({ stack = '', message }: Error): string[] {
  const start = message === '' ? 0 : stack.indexOf(message)
  const frames = start === -1 ? [] : stack.slice(start + message.length).split('\n')
  return frames
    .filter((line) => frame.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim())
}
