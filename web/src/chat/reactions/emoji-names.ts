import { t } from '../../i18n/translate.ts'

const names: Readonly<Record<string, string>> = {
  '👍': t('chat.emoji.thumbsUp'),
  '❤️': t('chat.emoji.heart'),
  '😂': t('chat.emoji.joy'),
  '😮': t('chat.emoji.openMouth'),
  '😢': t('chat.emoji.crying'),
  '🙏': t('chat.emoji.foldedHands'),
}

/** Returns the Unicode name of an emoji of the quick choice. Screen readers know the names of the others. */
export function emojiName(emoji: string): string {
  return names[emoji] ?? emoji
}
