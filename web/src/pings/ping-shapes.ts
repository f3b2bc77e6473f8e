import { type Input } from '@hither/contract/operation.ts'
import { type AnonymousPing, type createPing, type Ping, type PublicPing } from '@hither/contract/pings.ts'

export type NewPing = Input<typeof createPing>['body']

/** A ping as far as its reader may know it. */
export type ShownPing = Ping | PublicPing | AnonymousPing
