import * as contract from '@hither/contract/messages/message-search.ts'
import { createLimiterPerUser } from '../../platform/async/limiter-per-user.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { readCursor, readQuery } from './search.rules.ts'
import { searchMessages } from './search.service.ts'

/** A search waits until the earlier searches of the same user have ended, so that one user does not slow down the others. */
const limits = { atOnce: 1, waiting: 8 }

export function addSearchRoutes(routes: Routes, deps: MessagesDeps): void {
  const limiter = createLimiterPerUser(limits)
  routes.add(
    contract.searchMessages,
    ({ caller, query }) => limiter.run(caller.userId, () => searchMessages(deps, caller.userId, query)),
    {
      validate: ({ query }) => {
        readQuery(query.q)
        readCursor(query.cursor)
      },
    },
  )
}
