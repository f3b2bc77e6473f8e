import { expect, test } from 'vitest'
import { findPeople } from './find-people.ts'

const people = [
  { username: 'zoe', display_name: null },
  { username: 'bob', display_name: 'Ünal B.' },
  { username: 'ann', display_name: 'محمد' },
  { username: 'eve', display_name: 'adam' },
]
const found = (search: string) => findPeople(people, search).map(({ name }) => name)

test('finds people by a part of the display name or the username, ignoring case', () => {
  expect(found('ünal')).toEqual(['Ünal B.'])
  expect(found(' BO ')).toEqual(['Ünal B.'])
  expect(found('حم')).toEqual(['محمد'])
  expect(found('nobody')).toEqual([])
})

test('sorts by the name that is shown', () => {
  expect(found('')).toEqual(['adam', 'Ünal B.', 'zoe', 'محمد'])
})
