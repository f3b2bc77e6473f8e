import * as contract from '@hither/contract/friends.ts'
import type { Routes } from '../platform/http/routes.ts'
import { blockUser, listBlocked, unblockUser } from './blocks.service.ts'
import { type FriendsDeps, listFriends, listReceivedRequests, listSentRequests } from './friends.service.ts'
import { removeFriend } from './friendships.service.ts'
import { answerRequest, requestFriend } from './requests.service.ts'

export function addFriendRoutes(routes: Routes, deps: FriendsDeps): void {
  routes.add(contract.listFriends, ({ caller, query }) => listFriends(deps, caller.userId, query))
  routes.add(contract.listReceivedRequests, ({ caller, query }) => listReceivedRequests(deps, caller.userId, query))
  routes.add(contract.listSentRequests, ({ caller, query }) => listSentRequests(deps, caller.userId, query))
  routes.add(contract.sendFriendRequest, ({ caller, body }) => requestFriend(deps, caller.userId, body.username))
  routes.add(contract.respondToFriendRequest, ({ caller, params, body }) =>
    answerRequest(deps, caller.userId, params.id, body.action),
  )
  routes.add(contract.removeFriend, async ({ caller, params }) => {
    await removeFriend(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.blockUser, async ({ caller, params }) => {
    await blockUser(deps, caller.userId, params.username)
    return null
  })
  routes.add(contract.unblockUser, async ({ caller, params }) => {
    await unblockUser(deps, caller.userId, params.username)
    return null
  })
  routes.add(contract.listBlocked, ({ caller, query }) => listBlocked(deps, caller.userId, query))
}
