import { authTexts } from '@hither/contract/runtime/auth/auth.ts'
import { expect, test } from 'vitest'
import { recoveryStrings } from './recovery-strings.ts'

test("the English text after a request for a reset link is the server's sentence", () => {
  expect(recoveryStrings.resetSent).toBe(authTexts.resetSent)
})
