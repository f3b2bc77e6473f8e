import { type User } from '@hither/contract/users.ts'
import { type Pin } from '../map/pins.ts'
import { waitingStrings } from './strings.ts'
import { standingOf, type WaitingPing } from './waiting.rules.ts'

const prefix = 'waiting-'

/** Where they are to stand. What was not sent in time is in the list only, as what is over is. */
export function waitingPinsOf(pings: readonly WaitingPing[], nowMs: number, owner: User): Pin[] {
  return pings.flatMap((ping) => {
    const standing = standingOf(ping, nowMs)
    if (standing !== 'waiting' && standing !== 'refused') return []
    const isWaiting = standing === 'waiting'
    return [
      {
        id: waitingPinId(ping),
        latitude: ping.input.latitude,
        longitude: ping.input.longitude,
        look: 'pending' as const,
        userId: owner.id,
        username: owner.username,
        hasImage: false,
        fractionLeft: 1,
        caption: isWaiting ? waitingStrings.caption : waitingStrings.lateCaption,
        label: `You, ${ping.input.name}, ${(isWaiting ? waitingStrings.waiting : waitingStrings.lateCaption).toLowerCase()}`,
      },
    ]
  })
}

/** No id of a pin that stands. */
export function waitingPinId({ client_id }: WaitingPing): string {
  return prefix + client_id
}
