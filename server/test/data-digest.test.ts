import { expect, it } from 'vitest'
import { digestOf } from '../../scripts/checks/data-digest.ts'

it('changes with the files that a build writes, and with its modules, and with nothing else', async () => {
  const digest = await digestOf({ name: 'places', files: ['LICENSE'] })
  expect(await digestOf({ name: 'places', files: ['LICENSE'] })).toBe(digest)
  expect(await digestOf({ name: 'places', files: ['README.md'] })).not.toBe(digest)
  expect(await digestOf({ name: 'imagery', files: ['LICENSE'] })).not.toBe(digest)
})
