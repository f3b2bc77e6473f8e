import { loadEmojiNames } from '../../i18n/texts.ts'
import { t } from '../../i18n/translate.ts'
import { emojiList } from './emoji-list.ts'

interface Emoji {
  emoji: string
  name: string
  /** In lower case: the words of the name and further ones, in the language of the page and in English. */
  words: string
}

export interface EmojiGroup {
  name: string
  emoji: readonly Emoji[]
}

/** `null` until they are needed, so that the list is parsed only once. */
let groups: readonly EmojiGroup[] | null = null

/** Returns all emoji in their groups, with their names in the language of the page from when `nameEmoji` has resolved. */
export function emojiGroups(): readonly EmojiGroup[] {
  groups ??= parseEmoji(emojiList, {})
  return groups
}

/** Loads the names of the emoji in the language of the page. They stay English if these cannot be loaded. */
export async function nameEmoji(): Promise<void> {
  const names = await loadEmojiNames().catch(() => ({}))
  groups = parseEmoji(emojiList, names)
}

/** Returns the emoji for which each word of the query begins a word of their names. */
export function findEmoji(query: string): readonly Emoji[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return emojiGroups()
    .flatMap(({ emoji }) => emoji)
    .filter(({ emoji, words }) => wanted.every((word) => emoji === word || ` ${words}`.includes(` ${word}`)))
}

/**
 * Returns the groups of a list of emoji. `names` has the name and further words of an emoji in another language; an emoji without an
 * entry keeps its English name.
 */
export function parseEmoji(list: string, names: Readonly<Record<string, string>>): EmojiGroup[] {
  const groups: (EmojiGroup & { emoji: Emoji[] })[] = []
  for (const line of list.trim().split('\n')) {
    const end = line.indexOf(' ')
    const [emoji, english] = [line.slice(0, end), line.slice(end + 1)]
    if (emoji === '#') groups.push({ name: groupName(groups.length) ?? english, emoji: [] })
    else {
      const named = names[emoji] ?? english
      const words = (named === english ? english : `${named} ${english}`).replaceAll('|', ' ').toLowerCase()
      groups.at(-1)?.emoji.push({ emoji, name: named.split('|')[0] ?? emoji, words })
    }
  }
  return groups
}

/** The groups of the list, in its order. */
const groupKeys = [
  'smileys',
  'people',
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const

function groupName(index: number): string | undefined {
  const key = groupKeys[index]
  return key && t(`chat.emojiGroups.${key}`)
}
