import type * as auth from './auth/auth.ts'
import type * as oidc from './auth/oidc.ts'
import type * as passkeys from './auth/passkeys.ts'
import type * as recovery from './auth/recovery.ts'
import type * as securityEvents from './auth/security-events.ts'
import type * as banner from './banner.ts'
import type * as circles from './circles.ts'
import type * as config from './config.ts'
import type * as diagnostics from './diagnostics.ts'
import type * as files from './files.ts'
import type * as friendLinks from './friend-links.ts'
import type * as friends from './friends.ts'
import type * as geo from './geo.ts'
import type * as guests from './guests.ts'
import type * as invitations from './invitations.ts'
import type * as maps from './maps.ts'
import type * as messageSearch from './messages/message-search.ts'
import type * as messages from './messages/messages.ts'
import type * as reactions from './messages/reactions.ts'
import type * as moderation from './moderation.ts'
import type * as notifications from './notifications.ts'
import type { Operation } from './operation.ts'
import type * as pings from './pings.ts'
import type * as reports from './reports.ts'
import type * as storedData from './stored-data.ts'
import type * as trips from './trips.ts'
import type * as users from './users.ts'

type OperationsOf<Module> = {
  [Key in keyof Module as Module[Key] extends Operation ? Module[Key]['address'] : never]: Module[Key]
}

interface Operations
  extends OperationsOf<typeof auth>,
    OperationsOf<typeof banner>,
    OperationsOf<typeof circles>,
    OperationsOf<typeof config>,
    OperationsOf<typeof diagnostics>,
    OperationsOf<typeof files>,
    OperationsOf<typeof friendLinks>,
    OperationsOf<typeof friends>,
    OperationsOf<typeof geo>,
    OperationsOf<typeof guests>,
    OperationsOf<typeof invitations>,
    OperationsOf<typeof maps>,
    OperationsOf<typeof messageSearch>,
    OperationsOf<typeof messages>,
    OperationsOf<typeof moderation>,
    OperationsOf<typeof notifications>,
    OperationsOf<typeof oidc>,
    OperationsOf<typeof passkeys>,
    OperationsOf<typeof pings>,
    OperationsOf<typeof reactions>,
    OperationsOf<typeof recovery>,
    OperationsOf<typeof reports>,
    OperationsOf<typeof securityEvents>,
    OperationsOf<typeof storedData>,
    OperationsOf<typeof trips>,
    OperationsOf<typeof users> {}

export type KnownAddress = keyof Operations

/** The addresses of operations that require a session. */
export type MemberAddress = {
  [A in KnownAddress]: Operations[A]['auth'] extends 'required' ? A : never
}[KnownAddress]

/** The operation at an address, whose types a client infers without loading its schemas. */
export type OperationAt<A extends KnownAddress> = Operations[A] extends infer Found extends Operation ? Found : never
