import type { ChangeCircle, Circle } from '@hither/contract/circles.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import { circleLimits } from '@hither/contract/runtime/circles.ts'
import { t } from '../i18n/translate.ts'
import { lengthOf } from '../ui/text-length.ts'

export interface CircleForm {
  name: string
  /** Empty for a circle without one. */
  emoji: string
  memberIds: readonly UserId[]
}

type CircleFormErrors = Partial<Record<keyof CircleForm, string>>

/** What the members of a circle decide. */
export type CircleMembers = Pick<Circle, 'id' | 'member_ids'>

export function formOf(circle: Circle | null): CircleForm {
  return { name: circle?.name ?? '', emoji: circle?.emoji ?? '', memberIds: circle?.member_ids ?? [] }
}

/** Returns the errors by field, with the same texts as the server's. A circle that has become empty may stay empty. */
export function circleFormErrors(form: CircleForm, before: Circle | null): CircleFormErrors {
  const length = lengthOf(form.name.trim())
  const isEmptied = form.memberIds.length === 0 && before?.member_ids.length !== 0
  return {
    ...((length === 0 || length > circleLimits.nameMax) && { name: t('circles.nameInvalid') }),
    ...(isEmptied && { memberIds: t('circles.noMembers') }),
  }
}

/** Returns the fields of the form that differ from the circle. */
export function changesOf(form: CircleForm, before: Circle): ChangeCircle {
  const name = form.name.trim()
  const emoji = form.emoji.trim() || null
  const known = new Set(before.member_ids)
  const hasSameMembers = form.memberIds.length === known.size && form.memberIds.every((id) => known.has(id))
  return {
    ...(name !== before.name && { name }),
    ...(emoji !== before.emoji && { emoji }),
    ...(!hasSameMembers && { member_ids: [...form.memberIds] }),
  }
}

/**
 * Returns the form on top of what another device has saved meanwhile: what the user has changed stays, everything else is as
 * saved. So nobody whom the other device has removed comes back unless the user adds them.
 */
export function rebased(form: CircleForm, before: Circle, saved: Circle): CircleForm {
  const [known, latest] = [formOf(before), formOf(saved)]
  const stays = (id: UserId) => form.memberIds.includes(id) || !known.memberIds.includes(id)
  const added = form.memberIds.filter((id) => !known.memberIds.includes(id))
  return {
    name: form.name === known.name ? latest.name : form.name,
    emoji: form.emoji === known.emoji ? latest.emoji : form.emoji,
    memberIds: [...new Set([...latest.memberIds.filter(stays), ...added])],
  }
}

/** Adds an item to a list of chosen ones, or removes it. */
export function toggled<T>(chosen: readonly T[], item: T): T[] {
  return chosen.includes(item) ? chosen.filter((other) => other !== item) : [...chosen, item]
}

/** Returns each person of the chosen circles and of the named ones once. A circle that is not known has no members. */
export function peopleOf(
  circles: readonly CircleMembers[],
  circleIds: readonly CircleId[],
  userIds: readonly UserId[],
): Set<UserId> {
  const chosen = circles.filter(({ id }) => circleIds.includes(id))
  return new Set([...chosen.flatMap(({ member_ids }) => member_ids), ...userIds])
}
