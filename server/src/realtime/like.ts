/** In characters of the pattern, wildcards included. */
export const patternMax = 64

const anyText = Symbol('%')
const anyChar = Symbol('_')
type Token = string | typeof anyText | typeof anyChar

/**
 * SQL's LIKE (`%` any text, `_` any one character, `\` takes the next as it is) without a regular expression: the time is
 * bounded by the length of the pattern times that of the text. `null` where the pattern is over 64 characters or ends
 * with a lone `\`.
 */
export function compileLike(pattern: string, ignoresCase: boolean): ((text: string) => boolean) | null {
  const fold = (text: string) => Array.from(ignoresCase ? text.toLowerCase() : text)
  const tokens = tokensOf(fold(pattern))
  return tokens && ((text) => matches(tokens, fold(text)))
}

function tokensOf(chars: readonly string[]): Token[] | null {
  if (chars.length > patternMax) return null
  const tokens: Token[] = []
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] as string
    if (char === '\\') {
      i++
      const escaped = chars[i]
      if (escaped === undefined) return null
      tokens.push(escaped)
    } else if (char === '%') tokens.push(anyText)
    else if (char === '_') tokens.push(anyChar)
    else tokens.push(char)
  }
  return tokens
}

/** Goes back only to the latest `%`: what an earlier one took can never need to change. */
function matches(tokens: readonly Token[], chars: readonly string[]): boolean {
  let token = 0
  let char = 0
  let afterAny = -1
  let resumeAt = 0
  while (char < chars.length) {
    if (tokens[token] === anyText) {
      afterAny = ++token
      resumeAt = char
    } else if (token < tokens.length && (tokens[token] === anyChar || tokens[token] === chars[char])) {
      token++
      char++
    } else if (afterAny >= 0) {
      token = afterAny
      char = ++resumeAt
    } else return false
  }
  while (tokens[token] === anyText) token++
  return token === tokens.length
}
