import type { ChangeCircle, Circle } from '@hither/contract/circles.ts'
import type { FieldError } from '@hither/contract/error-body.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { circleLimits } from '@hither/contract/runtime/circles.ts'
import { isName } from '@hither/contract/runtime/texts.ts'
import { fieldError, InvalidInput, Refusal } from '../platform/errors/refusal.ts'

const oneEmoji = /^\p{RGI_Emoji}$/v

/** The fields of a circle that its owner writes. */
export type CircleFields = Pick<Circle, 'name' | 'emoji' | 'member_ids'>

/** Returns the given fields with the name trimmed and each member once. Throws all errors of name and emoji at once. */
export function readFields<F extends Pick<ChangeCircle, 'name' | 'emoji' | 'member_ids'>>(input: F): F {
  const fields = { ...input }
  if (input.name !== undefined) fields.name = input.name.trim()
  // Clients may write an id in upper case; the database stores lower case.
  if (input.member_ids) fields.member_ids = [...new Set(input.member_ids.map((id) => id.toLowerCase() as UserId))]
  const fieldErrors = [...nameErrors(fields.name), ...emojiErrors(fields.emoji)]
  if (fieldErrors.length > 0) throw new InvalidInput(...fieldErrors)
  return fields
}

function nameErrors(name: string | undefined): FieldError[] {
  // Lengths are in code points, as in the database.
  const isValid = name === undefined || ([...name].length <= circleLimits.nameMax && isName(name))
  return isValid ? [] : [fieldError('body', 'name')('circle_name_invalid')]
}

function emojiErrors(emoji: string | null | undefined): FieldError[] {
  const isValid = emoji == null || (Buffer.byteLength(emoji) <= circleLimits.emojiBytesMax && oneEmoji.test(emoji))
  return isValid ? [] : [fieldError('body', 'emoji')('emoji_invalid')]
}

/** Refuses a list of members that is empty or too long, or that has somebody who is not a friend of the owner. */
export function assertMembers(memberIds: readonly UserId[], friendIds: readonly UserId[]): void {
  const atMembers = fieldError('body', 'member_ids')
  if (memberIds.length === 0) throw new InvalidInput(atMembers('no_members'))
  if (memberIds.length > circleLimits.membersMax) throw new InvalidInput(atMembers('too_many_circle_members'))
  const friends = new Set(friendIds)
  if (memberIds.some((id) => !friends.has(id))) throw new InvalidInput(atMembers('members_not_friends'))
}

/** Refuses a new circle beyond the limit of a user, and a second one with the same name. */
export function assertCanCreate({ circles, is_name_taken }: { circles: number; is_name_taken: boolean }): void {
  if (circles >= circleLimits.circlesMax) throw new Refusal('too_many_circles')
  if (is_name_taken) throw new Refusal('circle_exists')
}

/** Refuses a change of a circle that another device has changed since the caller read it. */
export function assertExpected({ updated_at }: Circle, expected: string | undefined): void {
  if (expected !== undefined && Date.parse(expected) !== Date.parse(updated_at))
    throw new Refusal('circle_edit_conflict')
}

/** Returns the circle after the change, or null if it changes nothing. */
export function changedCircle(circle: Circle, change: Partial<CircleFields>): CircleFields | null {
  const { name = circle.name, emoji = circle.emoji, member_ids = circle.member_ids } = change
  const isSame = name === circle.name && emoji === circle.emoji && haveSameMembers(member_ids, circle.member_ids)
  return isSame ? null : { name, emoji, member_ids }
}

function haveSameMembers(a: readonly UserId[], b: readonly UserId[]): boolean {
  const others = new Set(b)
  return a.length === b.length && a.every((id) => others.has(id))
}

/** Returns the time of a change, which is later than that of the change before it even if the clock is not. */
export function changeTime({ updated_at }: Circle, now: Date): Date {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1))
}
