/** Prints rows as a table of Markdown; the first one is its head, and all columns but the first are numbers. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const rule = line(head.map((_, column) => (column === 0 ? '---' : '--:')))
  process.stdout.write(`\n**${title}**\n\n${line(head)}${rule}${body.map(line).join('')}`)
}
