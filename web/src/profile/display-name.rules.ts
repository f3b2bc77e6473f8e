import { isPersonName } from '@hither/contract/runtime/texts.ts'
import { userLimits } from '@hither/contract/runtime/users.ts'
import { t } from '../i18n/translate.ts'

/** Returns `true` or the error text. An empty display name is valid and means that there is none. */
export function checkDisplayName(value: string) {
  const name = value.trim()
  if (name === '') return true
  const isValid = [...name].length <= userLimits.displayNameMax && isPersonName(name)
  return isValid || t('profile.displayNameInvalid')
}
