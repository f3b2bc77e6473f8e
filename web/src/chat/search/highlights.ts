import { searchedWords } from '@hither/contract/runtime/messages/message-search.ts'

/** A part of a text. Found parts are shown in bold. */
interface Segment {
  text: string
  isFound: boolean
}

/** How many characters are shown before the first found word. */
const leadLength = 32

/**
 * Splits a text into parts that match the query and parts that do not, as the server matches: each word of the query is the
 * beginning of a word of the text, without case.
 */
export function highlighted(text: string, query: string): readonly Segment[] {
  const prefixes = wordsOf(query)
  const segments: Segment[] = []
  let end = 0
  for (const match of text.matchAll(searchedWords)) {
    const length = Math.max(0, ...prefixes.map((prefix) => prefixLength(match[0], prefix)))
    if (length === 0) continue
    if (match.index > end) segments.push({ text: text.slice(end, match.index), isFound: false })
    end = match.index + length
    segments.push({ text: text.slice(match.index, end), isFound: true })
  }
  if (end < text.length) segments.push({ text: text.slice(end), isFound: false })
  return segments
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

function wordsOf(query: string): readonly string[] {
  return [...new Set([...query.matchAll(searchedWords)].map(([word]) => word.toLowerCase()))]
}

/** The length of the beginning of `word` that equals `prefix` without case; 0 if it does not begin with it. */
function prefixLength(word: string, prefix: string): number {
  // Lower case can have another length, so the beginning is compared and not cut out of the lower-case word.
  for (let length = 1; length <= word.length; length++) {
    const start = word.slice(0, length).toLowerCase()
    if (start === prefix) return length
    if (!prefix.startsWith(start)) return 0
  }
  return 0
}
