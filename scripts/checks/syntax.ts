import { type ESTree, parseAst } from 'vite'
import type { Module } from './module-imports.ts'

/** A node of a syntax tree (ESTree), with the fields of its type. */
export type Node = ESTree.Node & Record<string, unknown>

/** Parses a module and calls `see` for each of its nodes, an outer one before those within. Throws an error if it has a syntax error. */
export function visitNodes({ path, text }: Pick<Module, 'path' | 'text'>, see: (node: Node) => void): void {
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path), see)
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) see(value as Node)
    for (const child of Object.values(value)) visit(child, see)
  }
}
