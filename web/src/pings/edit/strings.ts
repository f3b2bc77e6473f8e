import { refusals } from '@hither/contract/refusals.ts'
import { pingLimits, pingTexts } from '@hither/contract/runtime/pings.ts'
import { audienceStrings } from '../strings.ts'

/** For example "4 people who are". */
const peopleWhoAre = (count: number) => (count === 1 ? '1 person who is' : `${count} people who are`)

const willBeNotified = (count: number) =>
  count === 0 ? 'No one will be notified.' : `${peopleWhoAre(count)} going or maybe will be notified.`

/** Texts for what the owner of a ping can change. */
export const editStrings = {
  ...pingTexts,
  willBeNotified,
  offline: "You're offline. Connect to make changes.",
  edit: 'Edit',
  title: 'Edit pin',
  save: 'Save',
  saved: 'Changes saved',
  linkStops: 'The link stops working for everyone.',
  ended: refusals.ping_ended.detail,
  conflict: refusals.ping_edit_conflict.detail,
  started: refusals.ping_started.detail,
  /** The error of a field that another device has changed. */
  changedTo: (value: string) => `Changed on another device. It's now: ${value}`,
  noMessage: 'no message',
  on: 'on',
  off: 'off',
} as const

export const inviteStrings = {
  more: 'Invite more',
  invite: 'Invite',
  friends: 'Friends to invite',
  circles: 'Circles to invite',
  friendsFailed: 'Failed to load friends data',
  everyoneInvited: 'All your friends are already invited.',
  invited: (name: string) => `Invited ${name}`,
  invitedFriends: (count: number) => `Invited ${audienceStrings.friends(count)}`,
} as const

export const removeStrings = {
  removeName: (name: string) => `Remove ${name}`,
  title: (name: string) => `Remove ${name}?`,
  text: (name: string) => `${name} won't see this pin anymore. We won't notify them.`,
  remove: 'Remove',
} as const

export const cancelStrings = {
  cancel: 'Cancel pin',
  title: 'Cancel this pin?',
  message: 'Message (optional)',
  messageTooLong: pingTexts.cancelMessageTooLong,
  messageMax: pingLimits.cancelMessageMax,
  keep: 'Keep pin',
  canceled: 'Pin canceled',
  insteadOfDelete: (count: number) => `Cancel and notify ${count === 1 ? '1 person' : `${count} people`} instead`,
} as const
