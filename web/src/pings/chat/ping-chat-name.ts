import { t } from '../../i18n/translate.ts'

/** Returns the name of the chat of a ping in the language of its creator. Without isolates, because it is stored. */
export function pingChatName(name: string): string {
  return t('pings.create.chatName', { name }).replaceAll(/[\u2066-\u2069]/g, '')
}
