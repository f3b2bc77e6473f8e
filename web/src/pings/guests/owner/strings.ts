import { t } from '../../../i18n/translate.ts'

/** Texts for the owner's choice of who may respond with the link. */
export const guestPolicyStrings = {
  title: t('pings.guestPolicy.title'),
  policies: {
    open: t('pings.guestPolicy.policies.open'),
    approval: t('pings.guestPolicy.policies.approval'),
    off: t('pings.guestPolicy.policies.off'),
  },
  help: t('pings.guestPolicy.help'),
  alsoApproves: (count: number) => t('pings.guestPolicy.alsoApproves', { count }),
  stop: t('pings.guestPolicy.stop'),
  allow: t('pings.guestPolicy.allow'),
  change: t('pings.guestPolicy.change'),
  save: t('pings.guestPolicy.save'),
  changeFailed: t('pings.guestPolicy.changeFailed'),
} as const

/** Texts for the owner's list of guests. */
export const guestListStrings = {
  title: t('pings.guestList.title'),
  none: t('pings.guestList.none'),
  guests: (count: number) => t('pings.guestList.guests', { count }),
  waiting: (count: number) => t('pings.guestList.waiting', { count }),
  chip: t('pings.guestList.chip'),
  /** After the name of a guest, between those of invited friends. */
  mark: t('pings.guestList.mark'),
  /** What screen readers read of a guest. The name of a guest with an account is the username. */
  spoken: (name: string, hasAccount: boolean, answer: string) =>
    hasAccount
      ? t('pings.guestList.spoken', { name, answer })
      : t('pings.guestList.spokenUnverified', { name, answer }),
  approve: t('pings.guestList.approve'),
  approveName: (name: string) => t('pings.guestList.approveName', { name }),
  approveFailed: t('pings.guestList.approveFailed'),
  remove: t('pings.guestList.remove'),
  removeName: (name: string) => t('pings.guestList.removeName', { name }),
  removeTitle: (name: string) => t('pings.guestList.removeTitle', { name }),
  removeText: t('pings.guestList.removeText'),
  removeFailed: t('pings.guestList.removeFailed'),
  moreAbout: (name: string) => t('pings.guestList.moreAbout', { name }),
  addFriend: t('pings.guestList.addFriend'),
} as const
