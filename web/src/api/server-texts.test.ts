import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { expect, test } from 'vitest'
import { codesOfSentences, faultText, langOf, refusalText } from './server-texts.ts'

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
