import { authTexts } from '@hither/contract/runtime/auth/auth.ts'
import { expect, test } from 'vitest'
import { t } from '../../i18n/translate.ts'

test("the English text after a request for a reset link is the server's sentence", () => {
  expect(t('auth.resetSent')).toBe(authTexts.resetSent)
})
