import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { t } from '../i18n/translate.ts'

/** What is read aloud with the marker of a pin. */
export const markerStrings = {
  you: t('pings.you'),
  starts: (time: string) => t('pings.marker.starts', { time }),
  left: (duration: string) => t('pings.marker.left', { duration }),
} as const

export const pingStrings = {
  loadFailed: t('pings.loadFailed'),
  loadMineFailed: t('pings.loadMineFailed'),
  respondFailed: t('pings.respondFailed'),
  removeResponseFailed: t('pings.removeResponseFailed'),
  status: { pending: t('pings.status.pending'), active: t('pings.status.active'), expired: t('pings.status.expired') },
  canceled: t('pings.canceled'),
  responseButtons: {
    accepted: t('pings.responseButtons.accepted'),
    tentative: t('pings.responseButtons.tentative'),
    declined: t('pings.responseButtons.declined'),
  },
  respondTitle: t('pings.respondTitle'),
  going: (count: number) => t('pings.going', { count }),
  changeResponse: t('pings.changeResponse'),
  defaultTitle: (username: string) => t('pings.defaultTitle', { username }),
  left: (duration: string) => t('pings.left', { duration }),
  activates: (time: string) => t('pings.activates', { time }),
  sending: t('pings.sending'),
  loadingPings: t('pings.loadingPings'),
  myPins: t('pings.myPins'),
  noCurrentPins: t('pings.noCurrentPins'),
  summary: (active: number, pending: number) => t('pings.summary', { active, pending }),
  showMore: t('pings.showMore'),
  retryMore: t('pings.retryMore'),
  noneCreated: t('pings.noneCreated'),
  friendsNearby: t('pings.friendsNearby'),
  elsewhere: t('pings.elsewhere'),
  noneNearby: t('pings.noneNearby'),
  refresh: t('pings.refresh'),
  deletePing: (name: string) => t('pings.deletePing', { name }),
  sendingPicture: t('pings.sendingPicture'),
  sentPicture: (percent: number) => t('pings.sentPicture', { percent }),
} as const

/** The link from a chat to its ping. */
export const pingLineStrings = {
  pin: (name: string) => t('pings.pingLine.pin', { name }),
} as const

/** For example "12 friends and anyone with the link, until 9:40 PM". Shown in the form of a new ping and on the ping. */
export const audienceStrings = {
  friends: (count: number) => t('pings.audience.friends', { count }),
  anyone: t('pings.audience.anyone'),
  onlyYou: t('pings.audience.onlyYou'),
  text: (people: string, time: string) => t('pings.audience.text', { people, time }),
  until: (time: string) => t('pings.audience.until', { time }),
} as const

export const createStrings = {
  createFailed: t('pings.createFailed'),
  imageTooLarge: t('files.pingImageTooLarge'),
  shared: (people: string, end: string) => t('pings.create.shared', { people, end }),
  scheduledFor: (time: string) => t('pings.create.scheduledFor', { time }),
  messageTooLong: t('pings.create.messageTooLong', { limit: pingLimits.messageMax }),
} as const

/** Texts for pings that are not sent yet. */
export const waitingStrings = {
  kept: t('pings.waiting.kept'),
  waiting: t('pings.waiting.waiting'),
  startsThen: (duration: string) => t('pings.waiting.startsThen', { duration }),
  scheduled: (time: string) => t('pings.waiting.scheduled', { time }),
  late: t('pings.waiting.late'),
  refused: (reason: string) => t('pings.waiting.refused', { reason }),
  count: (count: number) => t('pings.waiting.count', { count }),
  unsent: (count: number) => t('pings.waiting.unsent', { count }),
  dropAgain: t('pings.waiting.dropAgain'),
  tryAgain: t('pings.waiting.tryAgain'),
  edit: t('pings.waiting.edit'),
  discard: t('pings.waiting.discard'),
  /** The caption of the marker. */
  caption: t('pings.waiting.caption'),
  lateCaption: t('pings.waiting.lateCaption'),
} as const
