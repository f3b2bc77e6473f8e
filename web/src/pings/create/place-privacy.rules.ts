import type { AreaKm, ExactPlaceFor } from '@hither/contract/areas.ts'
import type { GuestPolicy, OwnPing } from '@hither/contract/pings.ts'

/** The choices of who sees the exact place, and what they depend on. */
export interface PlacePrivacy {
  exactPlaceFor: ExactPlaceFor
  areaKm: AreaKm
  isPublic: boolean
  guestPolicy: GuestPolicy
}

/** Returns who can be chosen. Without a public link, everyone who sees the ping is invited. */
export function exactPlaceChoices(isPublic: boolean): readonly ExactPlaceFor[] {
  return isPublic ? ['invited', 'going', 'everyone'] : ['invited', 'going']
}

/** Returns the choice that has the same effect and is offered. */
export function offeredChoice(exactPlaceFor: ExactPlaceFor, isPublic: boolean): ExactPlaceFor {
  return exactPlaceFor === 'everyone' && !isPublic ? 'invited' : exactPlaceFor
}

/** Whether somebody sees the area and not the exact place. */
export function hasArea({ exactPlaceFor, isPublic }: Pick<PlacePrivacy, 'exactPlaceFor' | 'isPublic'>): boolean {
  return exactPlaceFor === 'going' || (exactPlaceFor === 'invited' && isPublic)
}

/**
 * Returns what changes with the public link. A ping that everyone could see exactly is then for the invitees, because more people
 * could see it than before.
 */
export function withPublicLink({ exactPlaceFor }: Pick<PlacePrivacy, 'exactPlaceFor'>, isPublic: boolean) {
  return { isPublic, exactPlaceFor: exactPlaceFor === 'everyone' ? ('invited' as const) : exactPlaceFor }
}

/** Returns the policy that is preselected when the owner allows responses with the link. */
export function offeredPolicy({ exact_place_for }: Pick<OwnPing, 'exact_place_for'>): GuestPolicy {
  return withExactPlaceFor({ guestPolicy: 'open' }, exact_place_for).guestPolicy
}

/** Whether anyone with the link sees the exact place by answering. */
export function isOpenToAnyone({ exactPlaceFor, isPublic, guestPolicy }: Omit<PlacePrivacy, 'areaKm'>): boolean {
  return exactPlaceFor === 'going' && isPublic && guestPolicy === 'open'
}

/**
 * Returns what changes with the choice of who sees the exact place. If it is for people who are going, the owner approves them,
 * because otherwise anyone could see it by answering.
 */
export function withExactPlaceFor({ guestPolicy }: Pick<PlacePrivacy, 'guestPolicy'>, exactPlaceFor: ExactPlaceFor) {
  const needsApproval = exactPlaceFor === 'going' && guestPolicy === 'open'
  return { exactPlaceFor, guestPolicy: needsApproval ? ('approval' as const) : guestPolicy }
}
