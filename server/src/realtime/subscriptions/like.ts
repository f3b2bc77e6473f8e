/** The maximum length of a pattern in characters, wildcards included. */
const patternMax = 64

const anyText = Symbol('%')
const anyChar = Symbol('_')
type Token = string | typeof anyText | typeof anyChar

/**
 * Compiles a pattern of SQL's LIKE (`%` matches any text, `_` any one character, `\` escapes the next character)
 * without a regular expression, so that the time is bounded by the length of the pattern times the length of the text.
 * Returns `null` if the pattern has more than 64 characters or ends with a single `\`.
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

/** Backtracks to the latest `%` only: the match of an earlier one never needs to change. */
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
