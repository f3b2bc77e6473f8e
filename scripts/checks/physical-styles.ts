import { join } from 'node:path'
import { root } from '../run.ts'
import { type Module, readModules } from './module-imports.ts'
import { type Node, visitNodes } from './syntax.ts'

/** Names of styles that depend on left and right, with the names that depend on the direction of writing. */
const logicalNames: Readonly<Record<string, string>> = {
  left: 'insetInlineStart',
  right: 'insetInlineEnd',
  ml: 'marginInlineStart',
  mr: 'marginInlineEnd',
  marginLeft: 'marginInlineStart',
  marginRight: 'marginInlineEnd',
  pl: 'paddingInlineStart',
  pr: 'paddingInlineEnd',
  paddingLeft: 'paddingInlineStart',
  paddingRight: 'paddingInlineEnd',
  borderLeft: 'borderInlineStart',
  borderRight: 'borderInlineEnd',
  borderTopLeftRadius: 'borderStartStartRadius',
  borderTopRightRadius: 'borderStartEndRadius',
  borderBottomLeftRadius: 'borderEndStartRadius',
  borderBottomRightRadius: 'borderEndEndRadius',
}
const sides = ['top', 'right', 'bottom', 'left']

type Property = { key: { name?: string }; shorthand: boolean; value: Node & { value?: unknown } }

/**
 * One sentence for each style of the web app that does not follow the direction of writing. An object with all four sides is the
 * padding of a map, which has no direction; a shorthand property, a function or a value of a text is no style.
 */
export function findPhysicalStyles(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const found: string[] = []
      const valuesOfTexts = new Set<unknown>()
      visitNodes({ path, text }, (node) => {
        if (node.type === 'CallExpression' && (node['callee'] as { name?: string }).name === 't')
          valuesOfTexts.add((node['arguments'] as Node[])[1])
        if (node.type !== 'ObjectExpression' || valuesOfTexts.has(node)) return
        const properties = (node['properties'] as unknown as Property[]).filter(({ key }) => key?.name !== undefined)
        const names = properties.map(({ key }) => key.name ?? '')
        if (sides.every((side) => names.includes(side))) return
        for (const { key, shorthand, value } of properties) {
          const name = key.name ?? ''
          const logical = logicalNames[name]
          if (logical !== undefined && !shorthand && !value.type.endsWith('FunctionExpression'))
            found.push(`${path}: the style ${name} should be ${logical}`)
          if (name === 'textAlign' && (value.value === 'left' || value.value === 'right'))
            found.push(`${path}: the text should be aligned to its start or end`)
        }
      })
      return found
    })
}

if (import.meta.main) {
  const found = findPhysicalStyles(readModules(join(root, 'web/src')))
  for (const text of found) process.stderr.write(`web/src/${text}\n`)
  if (found.length > 0) process.exitCode = 1
}
