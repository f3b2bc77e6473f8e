import { join } from 'node:path'
import { root } from '../run.ts'
import { type Module, readModules } from './module-imports.ts'
import { type Node, visitNodes } from './syntax.ts'

/** Attributes whose text people see or hear. */
const textAttributes = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'helper',
  'helperText',
  'label',
  'placeholder',
  'title',
])
/** Properties whose text people see or hear. */
const textProperties = new Set(['label', 'helperText', 'placeholder'])
/** Functions that show their first argument. */
const textFunctions = new Set(['showError', 'showNotice', 'useTitle'])
/** Shown by the check of this server, which is in English, and names of the product. */
const allowed = new Set(['Hither', 'hither'])
const letters = /\p{L}{2,}/u

/** One sentence for each text in the code of the web app that people see and that is in no catalog. */
export function findTexts(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => !/\.test\.tsx?$|harness\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const found: string[] = []
      visitNodes({ path, text }, (node) => {
        for (const shown of textsOf(node))
          if (letters.test(shown) && !allowed.has(shown.trim()))
            found.push(`${path}: "${shown.trim()}" is in no catalog`)
      })
      return found
    })
}

const defaultLocale = /new Intl\.(?!Locale\b)\w+\(\s*(?:\)|undefined)|\.toLocale\w+\(\s*(?:\)|undefined)/g

/** One sentence for each format of the web app that would use the language of the browser instead of that of the texts. */
export function findDefaultLocales(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(defaultLocale)].map(([use]) => `${path}: ${use} names no locale`))
}

function textsOf(node: Node): string[] {
  if (node.type === 'JSXText') return [String(node['value'])]
  if (node.type === 'JSXAttribute') {
    const { name, value } = node as unknown as { name: { name: string }; value: Node | null }
    return textAttributes.has(name.name) && value !== null ? literalsOf(value) : []
  }
  if (node.type === 'Property') {
    const { key, value } = node as unknown as { key: { name?: string }; value: Node }
    return textProperties.has(key.name ?? '') ? literalsOf(value) : []
  }
  if (node.type === 'CallExpression') {
    const { callee, arguments: [first] = [] } = node as unknown as { callee: { name?: string }; arguments: Node[] }
    return textFunctions.has(callee.name ?? '') && first !== undefined ? literalsOf(first) : []
  }
  return []
}

/** The literal parts of an attribute, a property or an argument, without the arguments of nested calls. */
function literalsOf(node: Node): string[] {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'JSXExpressionContainer') return literalsOf(node['expression'] as Node)
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  if (node.type === 'ArrayExpression')
    return (node['elements'] as (Node | null)[]).flatMap((item) => (item ? literalsOf(item) : []))
  // Parts that are joined: `['You', name].filter(Boolean).join(', ')`.
  if (node.type === 'CallExpression') return literalsOf(node['callee'] as Node)
  if (node.type === 'MemberExpression') return literalsOf(node['object'] as Node)
  if (node.type === 'ConditionalExpression')
    return [...literalsOf(node['consequent'] as Node), ...literalsOf(node['alternate'] as Node)]
  return []
}

if (import.meta.main) {
  const modules = readModules(join(root, 'web/src'))
  const found = [...findTexts(modules), ...findDefaultLocales(modules)]
  for (const text of found) process.stderr.write(`web/src/${text}\n`)
  if (found.length > 0) process.exitCode = 1
}
