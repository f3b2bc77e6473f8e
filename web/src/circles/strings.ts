import { t } from '../i18n/translate.ts'

export const circleStrings = {
  nameInvalid: t('circles.nameInvalid'),
  noMembers: t('circles.noMembers'),
  title: t('circles.title'),
  onlyYou: t('circles.onlyYou'),
  empty: t('circles.empty'),
  loading: t('circles.loading'),
  loadFailed: t('circles.loadFailed'),
  back: t('circles.back'),
  newCircle: t('circles.newCircle'),
  editCircle: t('circles.editCircle'),
  name: t('circles.name'),
  emoji: t('circles.emoji'),
  friends: t('circles.friends'),
  friendsFailed: t('circles.friendsFailed'),
  noFriends: t('circles.noFriends'),
  create: t('circles.create'),
  created: t('circles.created'),
  save: t('circles.save'),
  saved: t('circles.saved'),
  saveFailed: t('circles.saveFailed'),
  delete: t('circles.delete'),
  deleteTitle: t('circles.deleteTitle'),
  deleteText: t('circles.deleteText'),
  deleteConfirm: t('circles.deleteConfirm'),
  deleted: t('circles.deleted'),
  deleteFailed: t('circles.deleteFailed'),
  offline: t('circles.offline'),
  nobody: t('circles.nobody'),
  conflict: t('errors.circle_edit_conflict'),
  count: (count: number) => t('circles.count', { count }),
} as const

/** The accessible name of a chip: "Close friends, 5 friends, selected". */
export function chipName(name: string, count: number, isSelected: boolean): string {
  return isSelected ? t('circles.chipSelected', { name, count }) : t('circles.chip', { name, count })
}
