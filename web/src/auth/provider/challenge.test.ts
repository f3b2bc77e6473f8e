import { expect, test } from 'vitest'
import { base64url, sha256, sha256OfBlock } from './challenge.ts'

test('hashes the same with and without the Web Crypto API', async () => {
  for (const length of [0, 1, 32, 55]) {
    const bytes = crypto.getRandomValues(new Uint8Array(length))
    expect(base64url(sha256OfBlock(bytes))).toBe(base64url(await sha256(bytes)))
  }
})

test('encodes bytes in base64url without padding', () => {
  expect(base64url(new Uint8Array([251, 255, 254, 1]))).toBe('-__-AQ')
})
