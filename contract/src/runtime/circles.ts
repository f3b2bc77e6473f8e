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
