export const dropAgainStrings = {
  dropAgain: 'Drop again',
  dropAgainOf: (name: string) => `Drop again: ${name}`,
  linkOff: 'The public link is off for this pin.',
  leftOut: (count: number) =>
    count === 1
      ? "1 person isn't your friend anymore and was left out."
      : `${count} people aren't your friends anymore and were left out.`,
} as const
