import type { Input } from '@hither/contract/operation.ts'
import type { createPing, Ping, ShownPing } from '@hither/contract/pings.ts'

export type NewPing = Input<typeof createPing>['body']

/** Returns true for the owner and the invitees, who see the recipients, responses and chat of the ping. */
export function isForAudience(ping: ShownPing): ping is Ping {
  switch (ping.access) {
    case 'owner':
    case 'invitee':
      return true
    case 'link':
    case 'visitor':
      return false
  }
}
