import { refusals } from '@hither/contract/refusals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { formErrorsOf } from './form-errors.ts'

const fields = ['username', 'email'] as const

test('a username that is taken is said beside the username', () => {
  const { detail, status } = refusals.username_taken
  expect(formErrorsOf(new ApiError(status, detail), fields, 'Signup failed')).toEqual({
    fields: { username: detail },
    general: null,
  })
})

test('each fault of the input is said beside its field', () => {
  const faults = [
    { loc: ['body', 'email'], msg: 'must match the pattern', type: 'pattern' },
    { loc: ['body', 'username'], msg: 'is too short', type: 'minLength' },
  ]
  expect(formErrorsOf(new ApiError(422, 'Validation errors: …', faults), fields, 'Signup failed')).toEqual({
    fields: { email: 'must match the pattern', username: 'is too short' },
    general: null,
  })
})

test('a fault of something that is no field is not lost', () => {
  const faults = [{ loc: ['header', 'x'], msg: 'is missing', type: 'required' }]
  const error = new ApiError(422, 'Validation errors: header.x: is missing', faults)
  expect(formErrorsOf(error, fields, 'Signup failed')).toEqual({ fields: {}, general: error.message })
})

test('what is no refusal of the server gets the sentence of the form', () => {
  expect(formErrorsOf(new TypeError('x is undefined'), fields, 'Signup failed').general).toBe('Signup failed')
})
