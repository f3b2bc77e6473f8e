export const suggestionStrings = {
  title: 'Suggestions',
  allFriends: 'All friends',
  and: (circles: string, people: string) => `${circles} and ${people}`,
  edit: (name: string, audience: string, duration: string) => `${name} for ${audience}, ${duration}, edit`,
  drop: (name: string, audience: string, duration: string) => `${name} for ${audience}, ${duration}, drop now`,
  dropNow: 'Drop now',
} as const
