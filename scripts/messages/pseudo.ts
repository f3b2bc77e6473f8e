import type { Message, MessagePart } from '../../contract/src/runtime/message-format.ts'

const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aàeéiîoöuüyýnñcçsšAÅEÉIÎOÖUÛYÝNÑCÇSŠ'].flatMap((letter, index, all) =>
    index % 2 === 0 ? [[letter, all[index + 1] ?? letter]] : [],
  ),
)

/** The message in brackets, accented and 40 % longer, which shows what is not translated and what has too little room. */
export function accented(message: Message): Message {
  return ['[', ...partsOf(mapTexts(message, lengthened)), ']']
}

/** The message from right to left: its letters stay, and its direction changes. */
export function fromRightToLeft(message: Message): Message {
  return ['\u2067', ...partsOf(message), '\u2069']
}

/** Each word gets longer, because a longer language has longer words and more lines, not one word without end. */
function lengthened(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => {
    const letters = word.replace(/[A-Za-z]/g, (letter) => accents[letter] ?? letter)
    return letters + '~'.repeat(Math.ceil(word.length * 0.4))
  })
}

function partsOf(message: Message): readonly MessagePart[] {
  return typeof message === 'string' ? [message] : message
}

function mapTexts(message: Message, change: (text: string) => string): Message {
  if (typeof message === 'string') return change(message)
  return message.map((part): MessagePart => {
    if (typeof part === 'string') return change(part)
    const [name, kind, cases] = part
    if (kind === undefined || cases === undefined) return part
    return [name, kind, Object.fromEntries(Object.entries(cases).map(([key, of]) => [key, mapTexts(of, change)]))]
  })
}
