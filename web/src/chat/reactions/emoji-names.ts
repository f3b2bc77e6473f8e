const names: Readonly<Record<string, string>> = {
  '👍': 'thumbs up',
  '❤️': 'red heart',
  '😂': 'face with tears of joy',
  '😮': 'face with open mouth',
  '😢': 'crying face',
  '🙏': 'folded hands',
}

/** Returns the Unicode name of an emoji of the quick choice. Screen readers know the names of the others. */
export function emojiName(emoji: string): string {
  return names[emoji] ?? emoji
}
