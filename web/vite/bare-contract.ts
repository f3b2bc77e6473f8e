import { type Plugin, parseSync } from 'vite'

/** What only the server reads of an operation. */
const servers = new Set(['tag', 'summary', 'params', 'query', 'body', 'replies', 'refusals', 'rateLimits'])

/**
 * Leaves of the contract what a client runs on: addresses, texts, limits. Its schemas are types to the app, and with the
 * library that makes them a third of all that the first screen would load.
 */
export function bareContract(): Plugin {
  return {
    name: 'bare-contract',
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler(code, id) {
        const cuts: { from: number; to: number; text: string }[] = []
        visit(parseSync(id, code, { lang: 'ts' }).program, (node) => {
          if (node.type === 'ObjectExpression' && isOperation(node)) {
            for (const property of node.properties.filter(({ key }) => servers.has(key?.name ?? '')))
              cuts.push({ from: property.start, to: endOf(code, property.end), text: '' })
          }
          if (node.type === 'CallExpression' && isSchema(node)) {
            cuts.push({ from: node.start, to: node.end, text: 'undefined' })
          }
        })
        return { code: cut(code, cuts), map: null, moduleSideEffects: false }
      },
    },
  }
}

interface Node {
  type: string
  start: number
  end: number
  name?: string
  key?: { name?: string }
  callee?: Node
  object?: Node
  properties: Node[]
}

function visit(value: unknown, look: (node: Node) => void) {
  if (typeof value !== 'object' || value === null) return
  // What a function does, it does when it is called.
  if ('type' in value && /Function/.test(String(value.type))) return
  if ('type' in value && 'start' in value) look(value as Node)
  for (const part of Object.values(value)) visit(part, look)
}

function isOperation({ properties }: Node): boolean {
  const names = new Set(properties.map(({ key }) => key?.name))
  return ['method', 'path', 'auth', 'replies'].every((name) => names.has(name))
}

/** Made by the library itself or by a function of the contract; what these make is a schema, and never anything else. */
function isSchema({ callee }: Node): boolean {
  return callee?.type === 'Identifier' || callee?.object?.name === 'Type'
}

/** With the comma behind it. */
function endOf(code: string, end: number): number {
  return end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0)
}

function cut(code: string, cuts: readonly { from: number; to: number; text: string }[]): string {
  let result = ''
  let at = 0
  for (const { from, to, text } of cuts.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue
    result += code.slice(at, from) + text
    at = to
  }
  return result + code.slice(at)
}
