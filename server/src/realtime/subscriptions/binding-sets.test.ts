import { expect, test } from 'vitest'
import { ann } from '../harness.ts'
import { bindingSetOf } from './binding-sets.ts'
import { JoinRefusal } from './bindings.ts'

const onTable = (table: string, filter = '') => ({ event: '*', schema: 'public', table, ...(filter && { filter }) })

const filterOf = (number: number) => `id=eq.0190a0a0-0000-7000-8000-${String(number).padStart(12, '0')}`

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
  const first = bindingSetOf('2.0.0', [onTable('users', filterOf(1))])
  const second = bindingSetOf('2.0.0', [onTable('users', filterOf(2))])
  for (let number = 3; number < 1002; number++) {
    bindingSetOf('2.0.0', [onTable('users', filterOf(number))])
    expect(bindingSetOf('2.0.0', [onTable('users', filterOf(1))])).toBe(first)
  }
  expect(bindingSetOf('2.0.0', [onTable('users', filterOf(2))])).not.toBe(second)
  const long = [
    onTable(
      'users',
      `id=in.(${Array(100)
        .fill(`${' '.repeat(10)}${ann}`)
        .join()})`,
    ),
  ]
  expect(bindingSetOf('2.0.0', long)).not.toBe(bindingSetOf('2.0.0', long))
})
