import { emojiList } from './emoji-list.ts'

interface Emoji {
  emoji: string
  name: string
  /** In lower case: the words of the name and further ones. */
  words: string
}

export interface EmojiGroup {
  name: string
  emoji: readonly Emoji[]
}

/** All emoji in their groups. */
export const emojiGroups: readonly EmojiGroup[] = parse(emojiList)

/** Returns the emoji for which each word of the query begins a word of their names. */
export function findEmoji(query: string): readonly Emoji[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return emojiGroups
    .flatMap(({ emoji }) => emoji)
    .filter(({ emoji, words }) => wanted.every((word) => emoji === word || ` ${words}`.includes(` ${word}`)))
}

function parse(list: string): EmojiGroup[] {
  const groups: (EmojiGroup & { emoji: Emoji[] })[] = []
  for (const line of list.trim().split('\n')) {
    const end = line.indexOf(' ')
    const [name = '', more = ''] = line.slice(end + 1).split('|')
    if (line.startsWith('# ')) groups.push({ name, emoji: [] })
    else groups.at(-1)?.emoji.push({ emoji: line.slice(0, end), name, words: `${name} ${more}`.toLowerCase() })
  }
  return groups
}
