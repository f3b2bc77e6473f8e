import type { Message } from '@hither/contract/messages/messages.ts'
import { kindOf, photoContent, placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { ann, messageFrom } from '../harness.ts'
import { quoteOf } from '../quotes.ts'

const place = { type: 'place', caption: '', address: null, latitude: 0, longitude: 0 } as const
const photo = { type: 'photo', caption: '', width: 1, height: 1 } as const
const photoOf = (caption: string) =>
  messageFrom(null, 1, { content: caption || photoContent, attachment: { ...photo, caption } })
const placeOf = (name: string | null) =>
  messageFrom(null, 1, { content: placeContent(name), attachment: { ...place, name } })

afterEach(() => vi.unstubAllGlobals())

/** The functions in a page whose texts are German. */
async function inGerman() {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: 'de' } })
  const { addMessages } = await import('../../i18n/translate.ts')
  addMessages((await import('@hither/locales/compiled/de/rest.json')).default as never)
  const { foundText } = await import('../search/found-text.ts')
  return { ...(await import('./message-text.ts')), foundText }
}

test('only a photo and a place without caption or name are named in the language of the viewer', async () => {
  const { foundText, shownContent, textOfQuote } = await inGerman()
  const texts = (message: Message) => [
    shownContent({ ...message, ...kindOf(message.attachment) }),
    textOfQuote(quoteOf(message)),
    foundText(message),
  ]
  expect(texts(photoOf(''))).toEqual(['📷 Foto', '📷 Foto', '📷 Foto'])
  expect(texts(placeOf(null))).toEqual(['📍 Ort', '📍 Ort', '📍 Ort'])
  expect(texts(placeOf('Nero'))).toEqual(['📍 Nero', '📍 Nero', '📍 Nero'])
  expect(texts(photoOf('Sunset'))).toEqual(['Sunset', '📷 Sunset', '📷 Foto · Sunset'])
  const typed = (content: string) => texts(messageFrom(null, 1, { content }))
  expect(typed(photoContent)).toEqual(['📷 Photo', '📷 Photo', '📷 Photo'])
  expect(typed(placeContent(null))).toEqual(['📍 Place', '📍 Place', '📍 Place'])
  expect(texts(photoOf(photoContent))).toEqual(['📷 Photo', '📷 📷 Photo', '📷 Foto · 📷 Photo'])
})

test('a sender who has deleted their account is named in the language of the viewer', async () => {
  const { senderNameOf } = await inGerman()
  expect(senderNameOf(messageFrom(null, 1))).toBe('Gelöschtes Konto')
  expect(senderNameOf(messageFrom(ann, 1))).toBe('ann')
})
