import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { isEmailAddress } from '@hither/contract/runtime/identifiers.ts'
import { userLimits } from '@hither/contract/runtime/users.ts'
import { t } from '../i18n/translate.ts'

/** Returns `true` or the error text, for form fields. `missing` is the error of an empty field. */
export function checkUsername(value: string, missing: string = t('auth.fillInAllFields')) {
  const username = value.trim()
  if (username === '') return missing
  if (username.length < userLimits.usernameMin) return t('auth.usernameTooShort')
  if (username.length > userLimits.usernameMax) return t('auth.usernameTooLong')
  return new RegExp(userLimits.usernamePattern).test(username) || t('auth.usernameInvalid')
}

export function checkEmail(value: string) {
  if (value.trim() === '') return t('auth.fillInAllFields')
  return isEmailAddress(value.trim()) || t('auth.emailInvalid')
}

export function checkNewPassword(value: string, missing: string = t('auth.fillInAllFields')) {
  if (value === '') return missing
  return value.length >= authLimits.passwordMin || t('auth.passwordTooShort')
}

export function checkConfirmation(value: string, password: string, missing: string = t('auth.fillInAllFields')) {
  return value === '' ? missing : value === password || t('auth.passwordsDiffer')
}
