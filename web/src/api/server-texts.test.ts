import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { codesOfSentences, faultText, langOf, refusalText } from './server-texts.ts'

afterEach(() => vi.unstubAllGlobals())

test('each sentence of a server without codes is that of its refusal', () => {
  for (const [sentence, code] of Object.entries(codesOfSentences)) expect(refusals[code].detail).toBe(sentence)
})

test('the English text of each refusal is its sentence in the contract', () => {
  for (const code of Object.keys(refusals) as RefusalCode[])
    expect(refusalText(code, 'no text')).toBe(refusals[code].detail)
})

test('an unknown code of a newer server shows the sentence of the server', () => {
  expect(refusalText('wrong_planet', 'You are on another planet')).toBe('You are on another planet')
  expect(langOf('You are on another planet')).toBeUndefined()
  expect(faultText({ loc: ['body', 'x'], msg: 'Not today', type: 'x', code: 'unknown' })).toBe('Not today')
})

test('the error of a field names its limit', () => {
  const fault = { loc: ['body', 'username'], msg: 'Must be at most 30 characters', type: 'maxLength', code: 'too_long' }
  expect(faultText({ ...fault, params: { limit: 30 } })).toBe('Must be at most 30 characters')
})

test('in another language, the errors of fields are translated, and a status is marked as English', async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: 'de' } })
  const german = await import('./server-texts.ts')
  const faults = [{ loc: ['body', 'name'], msg: 'Zu lang', type: 'maxLength' }]
  const early = german.validationText(faults)
  expect([early, german.langOf(early)]).toEqual(['Validation errors: body.name: Zu lang', 'en'])
  const { addMessages } = await import('../i18n/translate.ts')
  addMessages((await import('@hither/locales/compiled/de/rest.json')).default as never)
  const late = german.validationText(faults)
  expect([late, german.langOf(late)]).toEqual(['Fehler in den Angaben: body.name: Zu lang', undefined])
  const status = german.statusTextOf({ status: 502, statusText: 'Bad Gateway' }, 'API Error')
  expect([status, german.langOf(status)]).toEqual(['API Error: 502 Bad Gateway', 'en'])
})
