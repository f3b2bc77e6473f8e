import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { locales, sourceLanguage } from '../contract/src/runtime/locales.ts'
import type { Message } from '../contract/src/runtime/message-format.ts'
import { compile, type Placeholders, readSources, type Source } from './messages/catalogs.ts'
import { type Group, groups, groupsInCode } from './messages/groups.ts'
import { accented, fromRightToLeft } from './messages/pseudo.ts'
import { root } from './run.ts'

/**
 * `npm run messages [-- --check]`: compiles the catalogs `locales/<tag>/*.po` into `locales/compiled`, and writes the keys with their
 * placeholders to `locales/messages.d.ts`. With `--check`, it writes nothing and fails if a file is not up to date.
 */

interface Compiled {
  readonly message: Message
  readonly placeholders: Placeholders
}

const faults: string[] = []
const english = compileAll(sourceLanguage, readSources(sourceLanguage))
const used = groupsInCode([...english.keys()])
const groupOf = (key: string): ReadonlySet<Group> => used.get(key) ?? new Set(key.startsWith('errors.') ? ['rest'] : [])

const outputs = new Map<string, string>()
for (const { tag } of locales) addOutputs(tag, translationsOf(tag))
addOutputs('en-XA', new Map([...english].map(([key, { message }]) => [key, accented(message)])))
addOutputs('ar-XB', new Map([...english].map(([key, { message }]) => [key, fromRightToLeft(message)])))
outputs.set('locales/messages.d.ts', typesOf(english))

for (const key of used.keys()) if (!english.has(key)) faults.push(`${key} is used in code and not in locales/en`)
for (const key of english.keys()) if (groupOf(key).size === 0) faults.push(`locales/en: no code uses ${key}`)
if (process.argv.includes('--check')) {
  for (const [path, content] of outputs)
    if (!existsSync(root + path) || readFileSync(root + path, 'utf8') !== content)
      faults.push(`${path} is not up to date. Run: npm run messages`)
} else {
  for (const [path, content] of outputs) {
    mkdirSync(root + path.slice(0, path.lastIndexOf('/')), { recursive: true })
    writeFileSync(root + path, content)
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1

function compileAll(tag: string, sources: ReadonlyMap<string, Source>): Map<string, Compiled> {
  const compiled = new Map<string, Compiled>()
  for (const [key, source] of sources)
    try {
      compiled.set(key, compile(tag, key, source))
    } catch (error) {
      faults.push((error as Error).message)
    }
  return compiled
}

/** The messages of a language. A missing one is English. */
function translationsOf(tag: string): Map<string, Message> {
  const sources = tag === sourceLanguage ? new Map<string, Source>() : readSources(tag)
  const translated = compileAll(tag, sources)
  for (const [key, { placeholders }] of translated) {
    const { file } = sources.get(key) as Source
    const known = english.get(key)?.placeholders
    if (known === undefined) faults.push(`${file}: locales/en has no ${key}`)
    else if ([...placeholders.keys()].some((name) => !known.has(name)))
      faults.push(`${file}: ${key} has a placeholder that locales/en does not have`)
    else if ([...known.keys()].some((name) => !placeholders.has(name)))
      faults.push(`${file}: ${key} lacks a placeholder of locales/en`)
  }
  return new Map([...english].map(([key, { message }]) => [key, translated.get(key)?.message ?? message]))
}

function addOutputs(tag: string, messages: ReadonlyMap<string, Message>) {
  for (const group of groups) {
    const entries = [...messages].filter(([key]) => groupOf(key).has(group))
    const content = `${JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))), null, 1)}\n`
    outputs.set(`locales/compiled/${tag}/${group}.json`, content)
  }
}

function typesOf(messages: ReadonlyMap<string, Compiled>): string {
  const lines = [...messages].map(([key, { placeholders }]) => {
    const fields = [...placeholders].map(
      ([name, kind]) => `${name}: ${kind === 'number' ? 'number' : 'string | number'}`,
    )
    return `  '${key}': ${fields.length === 0 ? 'null' : `{ ${fields.join('; ')} }`}`
  })
  return `/** Written by scripts/build-messages.ts: each key of the catalogs with its placeholders. */\nexport interface Messages {\n${lines.sort().join('\n')}\n}\n`
}
