import type { Ping } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { Trip } from '@hither/contract/trips.ts'

/** Returns the name that others see. The row of a trip has no display name. */
export function travelerName({ user_id, username }: Trip, ping: Ping): string {
  const person = [ping, ...ping.responses].find((other) => other.user_id === user_id)
  return person ? shownName(person) : username
}
