export const oneTapStrings = {
  dropping: (name: string, audience: string) => `Dropping ${name} for ${audience}`,
  everyFriend: 'all friends',
  undo: 'Undo',
  undone: 'Pin not sent',
} as const
