import { listText } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'

export const friendLinkStrings = {
  invalid: t('errors.friend_link_invalid'),
  ownLink: t('errors.own_friend_link'),
  offline: t('friend-links.offline'),
  actionFailed: t('friend-links.actionFailed'),
  more: t('friend-links.more'),
} as const

export const codeStrings = {
  myCode: t('friend-links.code.myCode'),
  scan: t('friend-links.code.scan'),
  qrName: (name: string) => t('friend-links.code.qrName', { name }),
  scanThis: t('friend-links.code.scanThis'),
  newCodeIn: (clock: string) => t('friend-links.code.newCodeIn', { clock }),
  newCodeReady: t('friend-links.code.newCodeReady'),
  added: (name: string) => t('friend-links.code.added', { name }),
  undo: t('friend-links.code.undo'),
  undoFailed: t('friend-links.code.undoFailed'),
  shareInstead: t('friend-links.code.shareInstead'),
  codeFailed: t('friend-links.code.codeFailed'),
  loadingCode: t('friend-links.code.loadingCode'),
} as const

export const scanStrings = {
  point: t('friend-links.scan.point'),
  foreign: (host: string) => t('friend-links.scan.foreign', { host }),
  other: t('friend-links.scan.other'),
  denied: t('friend-links.scan.denied'),
  noCamera: t('friend-links.scan.noCamera'),
  video: t('friend-links.scan.video'),
} as const

export const linkStrings = {
  shareLink: t('friend-links.link.shareLink'),
  title: t('friend-links.link.title'),
  uses: t('friend-links.link.uses'),
  usesOptions: [
    ['1', t('friend-links.link.usesOption', { count: 1 })],
    ['5', t('friend-links.link.usesOption', { count: 5 })],
    ['20', t('friend-links.link.usesOption', { count: 20 })],
  ],
  days: t('friend-links.link.days'),
  daysOptions: [
    ['1', t('friend-links.link.daysOption', { count: 1 })],
    ['7', t('friend-links.link.daysOption', { count: 7 })],
    ['30', t('friend-links.link.daysOption', { count: 30 })],
  ],
  note: t('friend-links.link.note'),
  oneUse: t('friend-links.link.oneUse'),
  moreUses: t('friend-links.link.moreUses'),
  admitsSignup: t('friend-links.link.admitsSignup'),
  needsAccount: t('friend-links.link.needsAccount'),
  create: t('friend-links.link.create'),
  shownOnce: t('friend-links.link.shownOnce'),
  copy: t('friend-links.link.copy'),
  copied: t('friend-links.link.copied'),
  copyFailed: t('friend-links.link.copyFailed'),
  share: t('friend-links.link.share'),
  done: t('friend-links.link.done'),
} as const

export const listStrings = {
  title: t('friend-links.list.title'),
  loading: t('friend-links.list.loading'),
  loadFailed: t('friend-links.list.loadFailed'),
  untitled: t('friend-links.list.untitled'),
  usage: (used: number, max: number) => t('friend-links.list.usage', { used, max }),
  expires: t('friend-links.list.expires'),
  usedBy: (names: readonly string[]) => t('friend-links.list.usedBy', { names: listText(names) }),
  revoke: t('friend-links.list.revoke'),
  revokeOf: (name: string) => t('friend-links.list.revokeOf', { name }),
  revokeTitle: t('friend-links.list.revokeTitle'),
  revokeText: t('friend-links.list.revokeText'),
  revoked: t('friend-links.list.revoked'),
  revokeFailed: t('friend-links.list.revokeFailed'),
  empty: t('friend-links.list.empty'),
  back: t('friend-links.list.back'),
} as const

export const addStrings = {
  opening: t('friend-links.add.opening'),
  add: (name: string) => t('friend-links.add.add', { name }),
  rightAway: t('friend-links.add.rightAway'),
  willRequest: (name: string) => t('friend-links.add.willRequest', { name }),
  signUp: t('friend-links.add.signUp'),
  logIn: t('friend-links.add.logIn'),
  noSignup: t('friend-links.add.noSignup'),
  addFriend: (name: string) => t('friend-links.add.addFriend', { name }),
  sendRequest: t('friend-links.add.sendRequest'),
  notNow: t('friend-links.add.notNow'),
  waiting: (name: string) => t('friend-links.add.waiting', { name }),
  alreadyFriends: (name: string) => t('friend-links.add.alreadyFriends', { name }),
  done: t('friend-links.add.done'),
  goHome: t('friend-links.add.goHome'),
  offline: t('friend-links.add.offline'),
  failed: t('friend-links.add.failed'),
  accepted: (name: string) => t('friend-links.add.accepted', { name }),
  requestSent: t('friend-links.add.requestSent'),
  requestSentTo: (name: string) => t('friend-links.add.requestSentTo', { name }),
  signedUpInvalid: t('friend-links.add.signedUpInvalid'),
} as const

/** The first screen of a new administrator. */
export const readyStrings = {
  title: t('friend-links.ready.title'),
  invite: t('friend-links.ready.invite'),
  later: t('friend-links.ready.later'),
  uses: t('friend-links.ready.uses'),
  closed: t('friend-links.ready.closed'),
  change: t('friend-links.ready.change'),
  copy: t('friend-links.ready.copy'),
  unreachable: (address: string) => t('friend-links.ready.unreachable', { address }),
  qrName: t('friend-links.ready.qrName'),
} as const
