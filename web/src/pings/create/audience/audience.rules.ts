import type { CircleId, UserId } from '@hither/contract/ids.ts'
import { type CircleMembers, peopleOf, toggled } from '../../../circles/circles.rules.ts'
import type { NewPing } from '../../ping-shapes.ts'

/**
 * Who sees a new pin: all friends; circles; or friends who are selected by hand, with or without circles. `recipientIds` counts
 * only for `selected`, so that a selection is still there when the user comes back to it.
 */
export interface ChosenAudience {
  audience: 'all' | 'circles' | 'selected'
  circleIds: CircleId[]
  recipientIds: UserId[]
}

export function withAllFriends(value: ChosenAudience): ChosenAudience {
  return { ...value, audience: 'all', circleIds: [] }
}

/** Chooses a circle, or no longer chooses it. See `withNobody` for the last one. */
export function withCircle(value: ChosenAudience, id: CircleId): ChosenAudience {
  const circleIds = toggled(value.circleIds, id)
  if (value.audience === 'selected') return { ...value, circleIds }
  return circleIds.length > 0 ? { ...value, circleIds, audience: 'circles' } : withNobody(value)
}

/** Turns the selection by hand on or off. Off without circles, nobody is selected. */
export function withSelectedFriends(value: ChosenAudience): ChosenAudience {
  if (value.audience !== 'selected') return { ...value, audience: 'selected' }
  return value.circleIds.length > 0 ? { ...value, audience: 'circles' } : withNobody(value)
}

/** Without any choice, the pin must not go to all friends or to people who were selected before. */
function withNobody<F extends ChosenAudience>(value: F): F {
  return { ...value, audience: 'selected', circleIds: [], recipientIds: [] }
}

/** Returns the choice without circles that have been deleted. See `withNobody` if nothing is left. */
export function withoutDeletedCircles<F extends ChosenAudience>(value: F, circles: readonly CircleMembers[]): F {
  const circleIds = value.circleIds.filter((id) => circles.some((circle) => circle.id === id))
  if (circleIds.length === value.circleIds.length) return value
  return value.audience === 'circles' && circleIds.length === 0 ? withNobody(value) : { ...value, circleIds }
}

/** The number of different people who receive the pin; `null` while the number of all friends is unknown. */
export function recipientsCount(
  value: ChosenAudience,
  { friendsCount, circles }: { friendsCount: number | null; circles: readonly CircleMembers[] },
): number | null {
  if (value.audience === 'all') return friendsCount
  return peopleOf(circles, value.circleIds, namedIds(value)).size
}

/**
 * Returns the fields of a request. It has no `recipient_ids` for all friends, because the server knows best who they are at
 * that time; circles always come with `recipient_ids`.
 */
export function audienceInput(value: ChosenAudience): Pick<NewPing, 'recipient_ids' | 'circle_ids'> {
  if (value.audience === 'all') return {}
  return {
    recipient_ids: namedIds(value),
    ...(value.circleIds.length > 0 && { circle_ids: value.circleIds }),
  }
}

function namedIds({ audience, recipientIds }: ChosenAudience): UserId[] {
  return audience === 'selected' ? recipientIds : []
}

/** The inverse of `audienceInput`. */
export function chosenAudienceOf({
  recipient_ids = null,
  circle_ids,
}: Pick<NewPing, 'recipient_ids' | 'circle_ids'>): ChosenAudience {
  const circleIds = circle_ids ?? []
  const recipientIds = recipient_ids ?? []
  if (recipient_ids === null) return { audience: 'all', circleIds: [], recipientIds }
  const isForCircles = circleIds.length > 0 && recipientIds.length === 0
  return { audience: isForCircles ? 'circles' : 'selected', circleIds, recipientIds }
}
