import { foldedWords, foldForSearch } from '@hither/contract/runtime/messages/message-search.ts'

/** A part of a text. Found parts are shown in bold. */
interface Segment {
  text: string
  isFound: boolean
}

/** How many characters are shown before the first found word. */
const leadLength = 32

/**
 * Splits a text into parts that match the query and parts that do not, as the server matches: each word of the query is the
 * beginning of a word of the text, and in a script without spaces any part of it.
 */
export function highlighted(text: string, query: string): readonly Segment[] {
  const wanted = Array.from(foldForSearch(query).matchAll(foldedWords), ([word]) => word)
  const { folded, partOf } = foldWithPositions(text)
  const segments: Segment[] = []
  let end = 0
  for (const [from, to] of findWords(folded, wanted)) {
    const [start, next] = [partOf[from]?.start ?? end, partOf[to - 1]?.end ?? end]
    if (start > end) segments.push({ text: text.slice(end, start), isFound: false })
    segments.push({ text: text.slice(Math.max(start, end), next), isFound: true })
    end = next
  }
  if (end < text.length) segments.push({ text: text.slice(end), isFound: false })
  return segments
}

/** Letters with the marks that normal forms join to them: accents, Korean vowels and finals, Japanese voice marks of half width. */
const clusters = /\P{M}[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\uff9e\uff9f]*|\p{M}+/gu

/** The folded text, and for each of its characters the part of the text that it comes from. */
function foldWithPositions(text: string) {
  let folded = ''
  const partOf: { start: number; end: number }[] = []
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    folded += foldForSearch(cluster)
    const part = { start: index, end: index + cluster.length }
    while (partOf.length < folded.length) partOf.push(part)
  }
  return { folded, partOf }
}

/** Where the words are found in a folded text, in order and without overlaps. */
function* findWords(folded: string, wanted: readonly string[]): Generator<[number, number]> {
  for (const { 0: word, 1: run, index } of folded.matchAll(foldedWords)) {
    const lastStart = run === undefined ? 0 : run.length
    for (let start = 0; start <= lastStart; start++) {
      const length = Math.max(0, ...wanted.filter((text) => word.startsWith(text, start)).map((text) => text.length))
      if (length === 0) continue
      yield [index + start, index + start + length]
      start += length - 1
    }
  }
}

/** Like `highlighted`, but starts a long text shortly before the first found word, so that a row of two lines shows it. */
export function excerpt(text: string, query: string): readonly Segment[] {
  const segments = highlighted(text, query)
  const [first, ...rest] = segments
  if (first === undefined || first.isFound || rest.length === 0 || first.text.length <= 2 * leadLength) return segments
  const cut = first.text.slice(-leadLength)
  // Starts with a whole word if there is one.
  const start = cut.search(/\s\S/u)
  return [{ text: `…${start < 0 ? cut : cut.slice(start + 1)}`, isFound: false }, ...rest]
}
