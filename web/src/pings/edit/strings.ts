import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { t } from '../../i18n/translate.ts'

/** Texts for what the owner of a ping can change. */
export const editStrings = {
  noRecipients: t('pings.noRecipients'),
  changeFailed: t('pings.changeFailed'),
  inviteFailed: t('pings.inviteFailed'),
  removeInviteeFailed: t('pings.removeInviteeFailed'),
  cancelFailed: t('pings.cancelFailed'),
  willBeNotified: (count: number) =>
    count === 0 ? t('pings.edit.nobodyNotified') : t('pings.edit.willBeNotified', { count }),
  offline: t('pings.edit.offline'),
  edit: t('pings.edit.edit'),
  title: t('pings.edit.title'),
  save: t('pings.edit.save'),
  saved: t('pings.edit.saved'),
  linkStops: t('pings.edit.linkStops'),
  ended: t('errors.ping_ended'),
  conflict: t('errors.ping_edit_conflict'),
  started: t('errors.ping_started'),
  /** The error of a field that another device has changed. */
  changedTo: (value: string) => t('pings.edit.changedTo', { value }),
  noMessage: t('pings.edit.noMessage'),
  on: t('pings.edit.on'),
  off: t('pings.edit.off'),
} as const

export const inviteStrings = {
  more: t('pings.invite.more'),
  invite: t('pings.invite.invite'),
  friends: t('pings.invite.friends'),
  circles: t('pings.invite.circles'),
  friendsFailed: t('pings.invite.friendsFailed'),
  everyoneInvited: t('pings.invite.everyoneInvited'),
  invited: (name: string) => t('pings.invite.invited', { name }),
  invitedFriends: (count: number) => t('pings.invite.invitedFriends', { count }),
} as const

export const removeStrings = {
  removeName: (name: string) => t('pings.remove.removeName', { name }),
  title: (name: string) => t('pings.remove.title', { name }),
  text: (name: string) => t('pings.remove.text', { name }),
  remove: t('pings.remove.remove'),
} as const

export const cancelStrings = {
  cancel: t('pings.cancel.cancel'),
  title: t('pings.cancel.title'),
  message: t('pings.cancel.message'),
  messageTooLong: t('pings.cancelMessageTooLong'),
  messageMax: pingLimits.cancelMessageMax,
  keep: t('pings.cancel.keep'),
  canceled: t('pings.cancel.canceled'),
  insteadOfDelete: (count: number) => t('pings.cancel.insteadOfDelete', { count }),
} as const
