/** Texts for the owner's choice of who may respond with the link. */
export const guestPolicyStrings = {
  title: 'Who can respond with the link',
  policies: { open: 'Anyone', approval: 'Anyone, after I approve', off: 'Only people I invite' },
  help: 'They can respond with just a name. They can read your message after they respond.',
  alsoApproves: (count: number) =>
    `This also approves ${count === 1 ? '1 person who is' : `${count} people who are`} waiting.`,
  stop: 'Stop new responses',
  allow: 'Allow responses',
  change: 'Change',
  save: 'Save',
  changeFailed: 'Failed to change who can respond',
} as const

/** Texts for the owner's list of guests. */
export const guestListStrings = {
  title: 'Guests',
  none: 'No guests yet',
  guests: (count: number) => (count === 1 ? '1 guest' : `${count} guests`),
  waiting: (count: number) => `${count} waiting`,
  chip: 'Guest',
  /** After the name of a guest, between those of invited friends. */
  mark: '(guest)',
  /** What screen readers read of a guest. The name of a guest with an account is the username. */
  spoken: (name: string, hasAccount: boolean, answer: string) =>
    `${name}, guest, ${hasAccount ? '' : 'name not verified, '}${answer.toLowerCase()}`,
  approve: 'Approve',
  approveName: (name: string) => `Approve ${name}`,
  approveFailed: 'Failed to approve the guest',
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: "Their response is deleted. They won't be notified.",
  removeFailed: 'Failed to remove the guest',
  moreAbout: (name: string) => `More about ${name}`,
  addFriend: 'Add friend',
} as const
