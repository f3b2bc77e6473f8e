import type { Address } from '../operation.ts'

export const circleLimits = {
  nameMax: 30,
  emojiBytesMax: 64,
  membersMax: 200,
  circlesMax: 20,
} as const

export const circleTexts = {
  nameInvalid: 'Please enter a name of 1 to 30 characters.',
  noMembers: 'Please select at least one friend.',
  membersNotFriends: 'You can only add your friends.',
  tooManyMembers: 'A circle can have up to 200 friends.',
} as const

export const listCircles = {
  method: 'GET',
  path: '/circles',
  auth: 'required',
} as const satisfies Address

export const createCircle = {
  method: 'POST',
  path: '/circles',
  auth: 'required',
} as const satisfies Address

export const changeCircle = {
  method: 'PATCH',
  path: '/circles/:id',
  auth: 'required',
} as const satisfies Address

export const deleteCircle = {
  method: 'DELETE',
  path: '/circles/:id',
  auth: 'required',
} as const satisfies Address
