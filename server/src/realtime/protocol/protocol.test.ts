import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBinary, decodeText, encodeChange, encodeFrame, type Frame, type Vsn, vsnOf } from './protocol.ts'

type Encode = (message: object, callback: (result: ArrayBuffer | string) => void) => void
const require = createRequire(import.meta.url)
const { default: Serializer } = require('@supabase/realtime-js/dist/main/lib/serializer.js') as {
  default: new () => { encode: Encode; decode: Encode }
}
const official = new Serializer()

const versions: readonly Vsn[] = ['1.0.0', '2.0.0']
const ref = fc.option(fc.oneof(fc.string(), fc.integer()), { nil: null })
const frame: fc.Arbitrary<Frame> = fc.record({
  joinRef: ref,
  ref,
  topic: fc.string(),
  event: fc.string(),
  payload: fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.jsonValue(),
  ) as fc.Arbitrary<Record<string, unknown>>,
})
/** Converts a value as JSON does: for instance, -0 becomes 0. */
const throughJson = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T

test.each(versions)('every encoded frame of version %s decodes to the same frame', (vsn) => {
  fc.assert(
    fc.property(frame, (frame) => {
      expect(decodeText(vsn, encodeFrame(vsn, frame))).toEqual(throughJson(frame))
    }),
  )
})

test('the official client decodes frames of version 2.0.0', () => {
  fc.assert(
    fc.property(frame, (frame) => {
      let read: unknown
      official.decode(encodeFrame('2.0.0', frame) as never, (result) => {
        read = result
      })
      const { joinRef, ref, topic, event, payload } = throughJson(frame)
      expect(read).toEqual({ join_ref: joinRef, ref, topic, event, payload })
    }),
  )
})

test('decoding does not throw for any text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...versions), fc.oneof(fc.string(), fc.json()), (vsn, text) => {
      const frame = decodeText(vsn, text)
      if (frame) expect(typeof frame.topic).toBe('string')
    }),
  )
})

test('decoding does not throw for any bytes', () => {
  const pushes = fc.uint8Array().map((bytes) => Uint8Array.of(3, ...bytes))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), pushes), (bytes) => {
      const broadcast = decodeBinary(bytes)
      if (broadcast) expect(broadcast.body.length).toBeLessThanOrEqual(bytes.length - 7)
    }),
  )
})

test('decodes a broadcast of the official client exactly', () => {
  const short = fc.string({ unit: 'grapheme', maxLength: 20 })
  fc.assert(
    fc.property(short, short, short, short, fc.jsonValue(), (joinRef, ref, topic, event, payload) => {
      const message = { join_ref: joinRef, ref, topic, event: 'broadcast', payload: { event, payload: { payload } } }
      let bytes = new ArrayBuffer(0)
      official.encode(message, (result) => {
        bytes = result as ArrayBuffer
      })
      const read = decodeBinary(new Uint8Array(bytes))
      expect(read).toMatchObject({ joinRef, ref, topic, event, metadata: '', isJson: true })
      expect(JSON.parse(Buffer.from(read?.body ?? []).toString())).toEqual(throughJson({ payload }))
    }),
  )
})

test('decodes a captured binary broadcast', () => {
  const head = Buffer.from([3, 1, 1, 0x10, 6, 0, 1])
  const bytes = Buffer.concat([head, Buffer.from('68realtime:conv:42typing{"who":"a","emoji":"é😀"}')])
  expect(decodeBinary(bytes)).toMatchObject({ joinRef: '6', ref: '8', topic: 'realtime:conv:42', event: 'typing' })
})

test.each([
  ['no JSON', '2.0.0', '{'],
  ['an object in 2.0.0', '2.0.0', '{"topic":"t","event":"e","payload":{}}'],
  ['an array in 1.0.0', '1.0.0', '["1","1","t","e",{}]'],
  ['four elements', '2.0.0', '["1","1","t","e"]'],
  ['a topic that is no text', '2.0.0', '["1","1",5,"e",{}]'],
  ['a ref that is an object', '2.0.0', '["1",{},"t","e",{}]'],
] as const)('%s is no frame', (_, vsn, text) => {
  expect(decodeText(vsn, text)).toBeNull()
})

test('an absent or malformed payload decodes as an empty one', () => {
  expect(decodeText('2.0.0', '[null,"1","t","e",null]')?.payload).toEqual({})
  expect(decodeText('1.0.0', '{"topic":"t","event":"e"}')).toEqual({
    joinRef: null,
    ref: null,
    topic: 't',
    event: 'e',
    payload: {},
  })
})

test('an absent join_ref is omitted in version 1.0.0', () => {
  const frame = { joinRef: null, ref: '1', topic: 't', event: 'e', payload: {} }
  expect(JSON.parse(encodeFrame('1.0.0', frame))).toEqual({ topic: 't', event: 'e', payload: {}, ref: '1' })
})

test.each(versions)('a change in version %s is encoded without refs', (vsn) => {
  const decoded = decodeText(vsn, encodeChange(vsn, 'realtime:"é', ['a', 'b'], '{"type":"INSERT"}'))
  const payload = { ids: ['a', 'b'], data: { type: 'INSERT' } }
  expect(decoded).toEqual({ joinRef: null, ref: null, topic: 'realtime:"é', event: 'postgres_changes', payload })
})

test('an absent version means 1.0.0, an unknown version is null', () => {
  expect([null, '1.0.0', '2.0.0', '3.0.0', ''].map(vsnOf)).toEqual(['1.0.0', '1.0.0', '2.0.0', null, null])
})
