/** The groups of nodes that reach each other, each in alphabetical order. The targets of a node are in the graph. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const numbers = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  /** Tarjan's algorithm. Returns the lowest number that `node` reaches on the stack. */
  function visit(node: string): number {
    const number = numbers.size
    numbers.set(node, number)
    stack.push(node)
    let lowest = number
    for (const target of graph.get(node) ?? []) {
      if (!numbers.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, numbers.get(target) ?? number)
    }
    if (lowest === number) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) cycles.push(group.sort())
    }
    return lowest
  }

  for (const node of graph.keys()) if (!numbers.has(node)) visit(node)
  return cycles
}
