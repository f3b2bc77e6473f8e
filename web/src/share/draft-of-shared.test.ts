import { fileLimits } from '@hither/contract/files.ts'
import { expect, test } from 'vitest'
import { draftOfShared } from './draft-of-shared.ts'
import { type Shared } from './shared.ts'

const nothing: Shared = { title: '', text: '', url: '', picture: null, at: 0 }
const link = 'https://maps.apple.com/?ll=40.7033,-74.0170'
const cafe = { latitude: 40.7033, longitude: -74.017 }

test('the title becomes the name, the text the message, and the link of a map the place', () => {
  const { draft, place } = draftOfShared({ ...nothing, title: ' Soup\nat noon ', text: `By the door ${link}` })
  expect(draft).toMatchObject({ form: { name: 'Soup at noon', message: 'By the door' }, image: null, imageFault: null })
  expect(place).toEqual(cafe)
})

test('an address of anything else stays in the message', () => {
  const { draft, place } = draftOfShared({ ...nothing, text: 'Look', url: 'https://example.org/menu' })
  expect(draft.form.message).toBe('Look\nhttps://example.org/menu')
  expect(place).toBeNull()
})

test('a place as the title is no name', () => {
  const { draft, place } = draftOfShared({ ...nothing, title: '40.7033, -74.0170' })
  expect(draft.form.name).toBe('')
  expect(place).toEqual(cafe)
})

test('what is too long is cut, by what people call letters', () => {
  const { draft } = draftOfShared({ ...nothing, title: '📍'.repeat(60), text: '📍'.repeat(600) })
  expect(draft.form).toEqual({ name: '📍'.repeat(50), message: '📍'.repeat(500) })
})

test('a picture goes along; one that is none or too large says so', () => {
  const file = new Blob(['x'], { type: 'image/png' })
  const withPicture = (picture: Shared['picture']) => draftOfShared({ ...nothing, picture }).draft
  expect(withPicture({ type: 'image/png', size: 1, file })).toMatchObject({ image: file, imageFault: null })
  const size = fileLimits.pingImageBytes + 1
  expect(withPicture({ type: 'image/png', size, file: null }).imageFault).toBe('Image must be less than 10MB')
  expect(withPicture({ type: 'text/plain', size: 1, file: null }).imageFault).toBe('Please select an image file')
})
