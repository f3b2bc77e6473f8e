export const newFriendStrings = {
  question: (name: string, count: number) =>
    count === 1 ? `Show ${name} your live pin?` : `Show ${name} your ${count} live pins?`,
  show: 'Show',
  notNow: 'Not now',
} as const
