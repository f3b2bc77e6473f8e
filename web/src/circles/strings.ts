import { refusals } from '@hither/contract/refusals.ts'
import { circleTexts } from '@hither/contract/runtime/circles.ts'

export const circleStrings = {
  ...circleTexts,
  title: 'Circles',
  onlyYou: 'Only you can see your circles.',
  empty: 'No circles yet. Group the friends you meet often, and share a pin with them in one tap.',
  loading: 'Loading circles…',
  loadFailed: 'Failed to load your circles',
  back: 'Back',
  newCircle: 'New circle',
  editCircle: 'Edit circle',
  name: 'Name',
  emoji: 'Emoji (optional)',
  friends: 'Friends in this circle',
  friendsFailed: 'Failed to load friends data',
  noFriends: 'No friends yet. Start by adding some friends!',
  create: 'Create',
  created: 'Circle created',
  save: 'Save',
  saved: 'Circle saved',
  saveFailed: 'Failed to save this circle',
  delete: 'Delete circle',
  deleteTitle: 'Delete this circle?',
  deleteText: "Your friends stay your friends, and pins you already shared don't change.",
  deleteConfirm: 'Delete',
  deleted: 'Circle deleted',
  deleteFailed: 'Failed to delete this circle',
  offline: 'Connect to the internet to change circles.',
  nobody: 'Nobody is in this circle.',
  conflict: refusals.circle_edit_conflict.detail,
  count: (count: number) => (count === 1 ? '1 friend' : `${count} friends`),
} as const

/** The accessible name of a chip: "Close friends, 5 friends, selected". */
export function chipName(name: string, count: number, isSelected: boolean): string {
  return [name, circleStrings.count(count), isSelected && 'selected'].filter(Boolean).join(', ')
}
