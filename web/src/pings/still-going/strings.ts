/** Texts for people whose response is older than the last change of the ping's place or start. */
export const stillGoingStrings = {
  changedTime: (owner: string, time: string) => `${owner} changed the time to ${time}.`,
  changedPlace: (owner: string) => `${owner} changed the place.`,
  changedBoth: (owner: string) => `${owner} changed the time and place.`,
  stillGoing: 'Still going?',
  areYouGoing: 'Are you going?',
  yes: 'Yes',
} as const
