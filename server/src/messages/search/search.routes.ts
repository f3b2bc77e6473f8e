import type { UserId } from '@hither/contract/ids.ts'
import * as contract from '@hither/contract/messages/message-search.ts'
import type { Input } from '@hither/contract/operation.ts'
import { createLimiterPerUser } from '../../platform/async/limiter-per-user.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { readCursor, readQuery } from './search.rules.ts'
import { searchMessages } from './search.service.ts'

/** A search waits until the earlier searches of the same user have ended, so that one user does not slow down the others. */
const limits = { atOnce: 1, waiting: 8 }

export function addSearchRoutes(routes: Routes, deps: MessagesDeps): void {
  const limiter = createLimiterPerUser(limits)
  const search = (userId: UserId, input: Input<typeof contract.searchMessages>['body']) =>
    limiter.run(userId, () => searchMessages(deps, userId, input))
  routes.add(contract.searchMessages, ({ caller, body }) => search(caller.userId, body), {
    validate: ({ body }) => {
      readQuery(body.q)
      readCursor(body.cursor)
    },
  })
  routes.add(contract.searchMessagesInAddress, ({ caller, query }) => search(caller.userId, query), {
    validate: ({ query }) => {
      readQuery(query.q, 'query')
      readCursor(query.cursor, 'query')
    },
  })
}
