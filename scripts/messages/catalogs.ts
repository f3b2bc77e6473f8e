import { readdirSync, readFileSync } from 'node:fs'
import { parse as parseIcu, type Token } from '@messageformat/parser'
import PO from 'pofile'
import type { Message, MessagePart } from '../../contract/src/runtime/message-format.ts'
import { root } from '../run.ts'

/** The text of a message, and the file that it comes from. */
export interface Source {
  readonly text: string
  readonly file: string
}

/** Which values a message takes: those that choose a plural case are numbers. */
export type Placeholders = ReadonlyMap<string, 'number' | 'text'>

const maxLength = 1000
// Other control characters could change the direction of what follows. These four isolate a name.
const forbidden = /(?![\n\u2066-\u2069])[\p{Cc}\p{Bidi_Control}]|<\/?[a-z]/iu

/** The messages of a language by key, from `locales/<tag>/*.po`. Throws an error for a key that occurs twice. */
export function readSources(tag: string): Map<string, Source> {
  const sources = new Map<string, Source>()
  for (const name of readdirSync(`${root}locales/${tag}`).sort()) {
    if (!name.endsWith('.po')) continue
    const file = `locales/${tag}/${name}`
    for (const { msgid, msgstr } of PO.parse(readFileSync(root + file, 'utf8')).items) {
      if (sources.has(msgid)) throw new Error(`${file}: ${msgid} occurs twice`)
      const text = msgstr[0] ?? ''
      if (text !== '') sources.set(msgid, { text, file })
    }
  }
  return sources
}

/** Parses a message in ICU MessageFormat. Throws an error that names the file and the key. */
export function compile(
  tag: string,
  key: string,
  { text, file }: Source,
): { message: Message; placeholders: Placeholders } {
  const placeholders = new Map<string, 'number' | 'text'>()
  const fail = (reason: string): never => {
    throw new Error(`${file}: ${key} ${reason}`)
  }
  if (text.length > maxLength) fail(`has more than ${maxLength} characters`)
  if (forbidden.test(text)) fail('contains markup or a control character')
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories

  function partOf(token: Token): MessagePart {
    switch (token.type) {
      case 'content':
        return token.value
      case 'octothorpe':
        return ['#']
      case 'argument':
        if (!placeholders.has(token.arg)) placeholders.set(token.arg, 'text')
        return [token.arg]
      case 'plural':
      case 'select': {
        placeholders.set(token.arg, token.type === 'plural' ? 'number' : 'text')
        const cases = Object.fromEntries(token.cases.map(({ key, tokens }) => [key, messageOf(tokens)]))
        const missing = token.type === 'plural' ? categories.filter((category) => !(category in cases)) : []
        if (missing.length > 0) fail(`has no case for ${missing.join(', ')}`)
        return [token.arg, token.type, cases]
      }
      default:
        return fail(`uses ${token.type}, which is not supported`)
    }
  }

  function messageOf(tokens: readonly Token[]): Message {
    const parts = tokens.map(partOf)
    if (parts.length === 0) return ''
    return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts
  }

  let tokens: Token[] = []
  try {
    tokens = parseIcu(text, { cardinal: [...categories], strict: false })
  } catch (error) {
    fail(`is no message: ${(error as Error).message}`)
  }
  return { message: messageOf(tokens), placeholders }
}
