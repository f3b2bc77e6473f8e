import { t } from '../../i18n/translate.ts'

/**
 * Returns a typed recovery code as the server expects it. Case, spaces and hyphens do not matter, and letters that look like
 * digits are read as those.
 */
export function normalizeRecoveryCode(typed: string): string {
  const symbols = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return symbols.replace(/.{4}(?=.)/g, '$&-')
}

/** Returns `true` or the error text. */
export function checkRecoveryCode(typed: string, missing: string) {
  if (typed.trim() === '') return missing
  return (
    /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/.test(normalizeRecoveryCode(typed)) ||
    t('auth.recovery.codeInvalid')
  )
}
