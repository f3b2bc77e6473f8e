import { refusals } from '@hither/contract/refusals.ts'

export const friendLinkStrings = {
  invalid: refusals.friend_link_invalid.detail,
  ownLink: refusals.own_friend_link.detail,
  offline: "You're offline. Try again when you're connected.",
  actionFailed: 'Something went wrong. Please try again.',
  more: 'More',
} as const

export const codeStrings = {
  myCode: 'My code',
  scan: 'Scan',
  qrName: (name: string) => `QR code to add ${name}`,
  scanThis: 'Ask your friend to scan this with their camera.',
  newCodeIn: (clock: string) => `New code in ${clock}`,
  newCodeReady: 'New code ready',
  added: (name: string) => `${name} added you`,
  undo: 'Undo',
  undoFailed: 'Failed to undo. Please try again.',
  shareInstead: 'Share a link instead',
  codeFailed: "Couldn't load your code.",
  loadingCode: 'Loading your code…',
} as const

export const scanStrings = {
  point: "Point your camera at a friend's code.",
  foreign: (host: string) => `This code is for another server: ${host}.`,
  other: "This isn't a Hither friend code.",
  denied: 'Camera access is off. Turn it on in your settings, or ask your friend for a link.',
  noCamera: 'No camera available. Ask your friend for a link instead.',
  video: 'Camera',
} as const

export const linkStrings = {
  shareLink: 'Share a link',
  title: 'Friend link',
  uses: 'Who can use it',
  usesOptions: [
    ['1', '1 friend'],
    ['5', '5 friends'],
    ['20', '20 friends'],
  ],
  days: 'Expires after',
  daysOptions: [
    ['1', '1 day'],
    ['7', '7 days'],
    ['30', '30 days'],
  ],
  note: 'Label (only you see it)',
  oneUse: 'The first person to open it becomes your friend right away.',
  moreUses: 'Each person sends you a friend request.',
  admitsSignup: 'New people can sign up with it.',
  needsAccount: 'They need an account on this server.',
  create: 'Create link',
  shownOnce: 'This link is shown only once. You can create another one anytime.',
  copy: 'Copy',
  copied: 'Link copied',
  copyFailed: 'Failed to copy the link',
  share: 'Share',
  done: 'Done',
} as const

export const listStrings = {
  title: 'Friend links',
  loading: 'Loading friend links…',
  loadFailed: 'Failed to load your friend links',
  untitled: 'Friend link',
  usage: (used: number, max: number) => `${used} of ${max} used`,
  expires: 'expires',
  usedBy: (names: readonly string[]) => `Used by ${names.join(', ')}`,
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke ${name}`,
  revokeTitle: 'Revoke this link?',
  revokeText: 'It stops working right away. Friends you already added stay your friends.',
  revoked: 'Link revoked',
  revokeFailed: 'Failed to revoke the link. Please try again.',
  empty: 'No friend links yet',
  back: 'Back to Friends',
} as const

export const addStrings = {
  opening: 'Opening link…',
  add: (name: string) => `Add ${name} on Hither`,
  rightAway: "You'll be friends right away.",
  willRequest: (name: string) => `${name} will get a friend request from you.`,
  signUp: 'Sign up',
  logIn: 'Log in',
  noSignup: "This server isn't accepting new accounts right now.",
  addFriend: (name: string) => `Add ${name}`,
  sendRequest: 'Send friend request',
  notNow: 'Not now',
  waiting: (name: string) => `Your friend request to ${name} is waiting for an answer.`,
  alreadyFriends: (name: string) => `You and ${name} are already friends.`,
  done: 'Done',
  goHome: 'Go to Hither',
  offline: "You're offline. Connect to the internet to open this link.",
  failed: "This link couldn't be opened.",
  accepted: (name: string) => `You and ${name} are now friends!`,
  requestSent: 'Friend request sent!',
  requestSentTo: (name: string) => `Friend request sent to ${name}.`,
  signedUpInvalid: 'Your account is ready, but the link is no longer valid.',
} as const
