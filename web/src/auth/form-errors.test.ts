import { refusals } from '@hither/contract/refusals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { formErrorsOf } from './form-errors.ts'

const fields = ['username', 'email'] as const

test('a taken username is an error of the username field', () => {
  const { detail, status } = refusals.username_taken
  expect(formErrorsOf(new ApiError(status, detail, { code: 'username_taken' }), fields, 'Signup failed')).toEqual({
    fields: { username: detail },
    general: null,
  })
})

test('each validation error is assigned to its field', () => {
  const fieldErrors = [
    { loc: ['body', 'email'], msg: 'must match the pattern', type: 'pattern' },
    { loc: ['body', 'username'], msg: 'is too short', type: 'minLength' },
  ]
  expect(formErrorsOf(new ApiError(422, 'Validation errors: …', { fieldErrors }), fields, 'Signup failed')).toEqual({
    fields: { email: 'must match the pattern', username: 'is too short' },
    general: null,
  })
})

test('an error of an unknown field becomes a general error', () => {
  const fieldErrors = [{ loc: ['header', 'x'], msg: 'is missing', type: 'required' }]
  const error = new ApiError(422, 'Validation errors: header.x: is missing', { fieldErrors })
  expect(formErrorsOf(error, fields, 'Signup failed')).toEqual({ fields: {}, general: error.message })
})

test('an error without a server response gets the fallback text', () => {
  expect(formErrorsOf(new TypeError('x is undefined'), fields, 'Signup failed').general).toBe('Signup failed')
})
