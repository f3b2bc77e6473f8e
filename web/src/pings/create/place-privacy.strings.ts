/** Texts for the choice of who sees the exact place of a ping. `place` is the nearest town, or "Somewhere in this area". */
export const placePrivacyStrings = {
  title: 'Who sees the exact place',
  choices: {
    invited: 'Friends I invite',
    going: 'Only people who are going',
    everyone: 'Anyone with the link',
  },
  size: 'Area size',
  linkSees: (place: string) => `People with the link see “${place}”.`,
  friendsSee: (place: string) => `Friends see “${place}” until they're going.`,
  remembered: 'People who were going may remember the place.',
  openToAnyone: 'Anyone with the link can see the exact place by answering Going.',
  publicName: 'Anyone with the link sees this name.',
} as const
