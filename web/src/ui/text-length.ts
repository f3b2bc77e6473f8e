/** Counts code points, as the server does: one emoji is one. */
export function lengthOf(text: string): number {
  return [...text].length
}
