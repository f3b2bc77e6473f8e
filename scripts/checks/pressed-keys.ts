import { join } from 'node:path'
import { root } from '../run.ts'
import { type Module, readModules } from './module-imports.ts'
import { type Node, visitNodes } from './syntax.ts'

const helper = 'ui/pressed-key.ts'

/** One sentence for each handler of keys in the web app that does not leave the keys of an input method to it. */
export function findUnguardedKeys(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => path !== helper && !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const found: string[] = []
      visitNodes({ path, text }, (node) => {
        const isRead =
          node.type === 'MemberExpression' && isNamed(node.object, 'event') && isNamed(node.property, 'key')
        if (isRead || takesKey(node)) found.push(`${path}: reads a key without pressedKey of ${helper}`)
      })
      return found
    })
}

/** Whether a function takes the key out of its event: `({ key }: KeyboardEvent) => …`. */
function takesKey(node: Node): boolean {
  if (node.type !== 'ObjectPattern') return false
  const { typeAnnotation, properties } = node as unknown as {
    typeAnnotation?: { typeAnnotation: { typeName?: { name?: string } } } | null
    properties: { key?: Node }[]
  }
  const type = typeAnnotation?.typeAnnotation.typeName?.name ?? ''
  return type.endsWith('KeyboardEvent') && properties.some(({ key }) => key !== undefined && isNamed(key, 'key'))
}

function isNamed(node: unknown, name: string): boolean {
  return (node as { name?: string }).name === name
}

if (import.meta.main) {
  // A storage event has a key too.
  const modules = readModules(join(root, 'web/src')).filter(({ path }) => path !== 'api/stored-session.ts')
  const found = findUnguardedKeys(modules)
  for (const text of found) process.stderr.write(`web/src/${text}\n`)
  if (found.length > 0) process.exitCode = 1
}
