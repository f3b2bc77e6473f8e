/** Each dark enough for white letters (4.5:1), and none of them the colours that mean something. */
const colours = [
  '#6B4FBB',
  '#9C4668',
  '#0F7285',
  '#7A5C1E',
  '#3B6E47',
  '#8A4B2D',
  '#4A5A8C',
  '#A0417E',
  '#2F6F6B',
  '#75527A',
  '#5D6B1F',
  '#54606E',
] as const

/** The same colour for the same person everywhere, also on the map. */
export function avatarColour(userId: string): string {
  let hash = 2_166_136_261
  for (const char of userId) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return colours[(hash >>> 0) % colours.length] ?? colours[0]
}

/** One or two letters: of two words where a name has them, else of its start. */
export function initialsOf(username: string): string {
  const words = username.split(/[\s._-]+/).filter(Boolean)
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => Array.from(word)[0]) : Array.from(words[0] ?? '?').slice(0, 2)
  return letters.join('').toUpperCase()
}
