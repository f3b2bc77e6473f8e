import { expect, test } from 'vitest'
import { bindingSetOf } from './binding-sets.ts'
import { JoinRefusal } from './bindings.ts'

const onTable = (table: string, filter = '') => ({ event: '*', schema: 'public', table, ...(filter && { filter }) })

test('channels with the same version and parameters share their compiled bindings', () => {
  const set = bindingSetOf('2.0.0', [onTable('users'), onTable('chats')])
  expect(bindingSetOf('2.0.0', [onTable('users'), onTable('chats')])).toBe(set)
  expect(bindingSetOf('1.0.0', [onTable('users'), onTable('chats')])).not.toBe(set)
  expect(bindingSetOf('2.0.0', [onTable('chats'), onTable('users')])).not.toBe(set)
  expect(bindingSetOf('2.0.0', [{ ...onTable('users'), select: ['id'] }, onTable('chats')])).not.toBe(set)
})

test('invalid bindings are refused each time', () => {
  for (let time = 0; time < 2; time++) expect(() => bindingSetOf('2.0.0', [onTable('nothing')])).toThrow(JoinRefusal)
})

test('only the bindings used last stay in memory, and none with very long parameters', () => {
  const first = bindingSetOf('2.0.0', [onTable('users', 'username=eq.first')])
  const second = bindingSetOf('2.0.0', [onTable('users', 'username=eq.second')])
  for (let number = 1; number < 1000; number++) {
    bindingSetOf('2.0.0', [onTable('users', `username=eq.${number}`)])
    expect(bindingSetOf('2.0.0', [onTable('users', 'username=eq.first')])).toBe(first)
  }
  expect(bindingSetOf('2.0.0', [onTable('users', 'username=eq.second')])).not.toBe(second)
  const long = [onTable('users', `username=in.(${Array(99).fill('x'.repeat(50)).join()})`)]
  expect(bindingSetOf('2.0.0', long)).not.toBe(bindingSetOf('2.0.0', long))
})
