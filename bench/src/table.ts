/** Prints rows as a Markdown table. The first row is the header, and all columns except the first are numbers. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const rule = line(head.map((_, column) => (column === 0 ? '---' : '--:')))
  process.stdout.write(`\n**${title}**\n\n${line(head)}${rule}${body.map(line).join('')}`)
}
