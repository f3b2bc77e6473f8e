import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { isEmailAddress } from '@hither/contract/runtime/identifiers.ts'
import { userLimits } from '@hither/contract/runtime/users.ts'
import { authStrings } from './strings.ts'

/** Returns `true` or the error text, for form fields. `missing` is the error of an empty field. */
export function checkUsername(value: string, missing: string = authStrings.fillInAllFields) {
  const username = value.trim()
  if (username === '') return missing
  if (username.length < userLimits.usernameMin) return authStrings.usernameTooShort
  if (username.length > userLimits.usernameMax) return authStrings.usernameTooLong
  return new RegExp(userLimits.usernamePattern).test(username) || authStrings.usernameInvalid
}

export function checkEmail(value: string) {
  if (value.trim() === '') return authStrings.fillInAllFields
  return isEmailAddress(value.trim()) || authStrings.emailInvalid
}

export function checkNewPassword(value: string, missing: string = authStrings.fillInAllFields) {
  if (value === '') return missing
  return value.length >= authLimits.passwordMin || authStrings.passwordTooShort
}

export function checkConfirmation(value: string, password: string, missing: string = authStrings.fillInAllFields) {
  return value === '' ? missing : value === password || authStrings.passwordsDiffer
}
