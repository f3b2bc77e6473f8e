import { fileLimits } from '@hither/contract/runtime/files.ts'
import { expect, test } from 'vitest'
import type { Shared } from '../service-worker/shared.ts'
import { draftFromShared } from './shared-draft.ts'

const nothing: Shared = { title: '', text: '', url: '', picture: null, at: 0 }
const link = 'https://maps.apple.com/?ll=40.7033,-74.0170'
const cafe = { latitude: 40.7033, longitude: -74.017 }

test('the title becomes the name, the text the message, and a map link the location', () => {
  const { draft, place } = draftFromShared({ ...nothing, title: ' Soup\nat noon ', text: `By the door ${link}` })
  expect(draft).toMatchObject({
    form: { name: 'Soup at noon', message: 'By the door' },
    image: null,
    imageErrorText: null,
  })
  expect(place).toEqual(cafe)
})

test('other links stay in the message', () => {
  const { draft, place } = draftFromShared({ ...nothing, text: 'Look', url: 'https://example.org/menu' })
  expect(draft.form.message).toBe('Look\nhttps://example.org/menu')
  expect(place).toBeNull()
})

test('a title with coordinates is not used as the name', () => {
  const { draft, place } = draftFromShared({ ...nothing, title: '40.7033, -74.0170' })
  expect(draft.form.name).toBe('')
  expect(place).toEqual(cafe)
})

test('long texts are cut at code points', () => {
  const { draft } = draftFromShared({ ...nothing, title: '📍'.repeat(60), text: '📍'.repeat(600) })
  expect(draft.form).toEqual({ name: '📍'.repeat(50), message: '📍'.repeat(500) })
})

test('an image is used, and an invalid or too large one gives an error', () => {
  const file = new Blob(['x'], { type: 'image/png' })
  const withPicture = (picture: Shared['picture']) => draftFromShared({ ...nothing, picture }).draft
  expect(withPicture({ type: 'image/png', size: 1, file })).toMatchObject({ image: file, imageErrorText: null })
  const size = fileLimits.pingImageBytes + 1
  expect(withPicture({ type: 'image/png', size, file: null }).imageErrorText).toBe('Image must be less than 10MB')
  expect(withPicture({ type: 'text/plain', size: 1, file: null }).imageErrorText).toBe('Please select an image file')
})
