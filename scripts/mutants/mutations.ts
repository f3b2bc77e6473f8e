import type { Random } from '../../server/test/chaos/random.ts'
import type { Module } from '../checks/module-imports.ts'
import { type Node, visitNodes } from '../checks/syntax.ts'

type Kind = 'negated condition' | 'removed statement' | 'off by one' | 'other operator'

/** One change of a module that breaks it, unless the code has no effect. */
export interface Mutant {
  readonly path: string
  readonly line: number
  readonly kind: Kind
  readonly before: string
  readonly after: string
  /** The whole module with the change. */
  readonly text: string
}

const otherOperators: Record<string, string> = {
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

/** All changes of a module that this tool knows. */
export function mutantsOf({ path, text }: Module): Mutant[] {
  const mutants: Mutant[] = []
  const change = (kind: Kind, node: Node, after: string) => {
    const before = text.slice(node.start, node.end)
    const line = text.slice(0, node.start).split('\n').length
    mutants.push({ path, line, kind, before, after, text: text.slice(0, node.start) + after + text.slice(node.end) })
  }
  const code = (node: Node) => text.slice(node.start, node.end)
  const swapped = ({ start, end, left, right }: Node, operator: string) =>
    text.slice(start, (left as Node).end) + operator + text.slice((right as Node).start, end)
  const styles: Node[] = []
  visitNodes({ path, text }, (node) => {
    if (isStyle(node)) styles.push(node)
    if (styles.some(({ start, end }) => start <= node.start && node.end <= end)) return
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      const test = node['test'] as Node
      change('negated condition', test, `!(${code(test)})`)
    }
    if (node.type === 'ExpressionStatement' && node['directive'] == null && isEffect(node['expression'] as Node))
      change('removed statement', node, ';')
    if (node.type === 'Literal' && typeof node['value'] === 'number')
      change('off by one', node, String(node['value'] + 1))
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const other = otherOperators[String(node['operator'])]
      const { left, right } = node as unknown as { left: Node; right: Node }
      const isText = [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string')
      // With the parentheses around the operands, which belong to no node.
      const operator = text.slice(left.end, right.start)
      if (other !== undefined && !(isText && node['operator'] === '+'))
        change('other operator', node, swapped(node, operator.replace(String(node['operator']), other)))
    }
  })
  return mutants
}

/** Looks only matter to eyes, and no unit test looks. */
function isStyle({ type, name, key }: Node): boolean {
  const called = String((name as Node | undefined)?.['name'] ?? (key as Node | undefined)?.['name'])
  return (type === 'JSXAttribute' || type === 'Property') && ['sx', 'style', 'slotProps'].includes(called)
}

function isEffect({ type, argument }: Node): boolean {
  if (type === 'AwaitExpression') return isEffect(argument as Node)
  return type === 'CallExpression' || type === 'AssignmentExpression' || type === 'UpdateExpression'
}

/** Picks at most one mutant of a file, and each kind as often as the others. */
export function pickMutants(mutants: readonly Mutant[], count: number, random: Random): Mutant[] {
  const left = [...mutants]
  const picked: Mutant[] = []
  while (picked.length < count && left.length > 0) {
    const kind = random.pick([...new Set(left.map((mutant) => mutant.kind))].sort())
    const mutant = random.pick(left.filter((each) => each.kind === kind))
    picked.push(mutant)
    left.splice(0, left.length, ...left.filter(({ path }) => path !== mutant.path))
  }
  return picked
}
