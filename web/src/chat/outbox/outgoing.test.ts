import { expect, test } from 'vitest'
import { at, cafe } from '../harness.ts'
import type { Outgoing } from './message-outbox.ts'
import { inWrittenOrder, nextPhoto, type OutgoingPhoto, withUpload } from './outgoing.ts'

const text = (client_id: string, minutes: number): Outgoing => ({
  client_id,
  conversation_id: cafe,
  content: '',
  created_at: at(minutes),
  state: 'waiting',
})
const photo = (client_id: string, minutes: number, state: Outgoing['state'] = 'waiting'): OutgoingPhoto => ({
  ...text(client_id, minutes),
  state,
  photo: { file: new Blob(['x']), width: 4, height: 3, photo_id: null },
})

test('sends photos in the order in which they were chosen, and a refused photo does not hold up the next one', () => {
  expect(nextPhoto([photo('a', 1), photo('b', 2)])?.client_id).toBe('a')
  expect(nextPhoto([photo('a', 1, 'failed'), photo('b', 2)])?.client_id).toBe('b')
  expect(nextPhoto([photo('a', 1, 'failed')])).toBeUndefined()
})

test('keeps the upload of a photo with its file, so that a retry does not upload it again', () => {
  const [a, b] = withUpload([photo('a', 1), photo('b', 2)], 'b', 'upload')
  expect([a?.photo.photo_id, b?.photo.photo_id]).toEqual([null, 'upload'])
  expect(b?.photo.file.size).toBe(1)
  expect(withUpload([b as OutgoingPhoto], 'b', null)[0]?.photo.photo_id).toBeNull()
})

test('shows unsent texts and photos in the order in which they were written', () => {
  const shown = inWrittenOrder([text('one', 1), text('three', 3)], [photo('two', 2), photo('four', 4)])
  expect(shown.map(({ client_id }) => client_id)).toEqual(['one', 'two', 'three', 'four'])
  const texts = [text('one', 1)]
  expect(inWrittenOrder(texts, [])).toBe(texts)
})
