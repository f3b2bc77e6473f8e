import * as contract from '@hither/contract/friend-links.ts'
import type { Routes } from '../platform/http/routes.ts'
import { acceptLink } from './accept-link.service.ts'
import { readNote } from './friend-links.rules.ts'
import { createLink, type FriendLinksDeps, listLinks, lookUpLink, revokeLink } from './friend-links.service.ts'

export function addFriendLinkRoutes(routes: Routes, deps: FriendLinksDeps): void {
  routes.add(contract.createFriendLink, ({ caller, body }) => createLink(deps, caller.userId, body), {
    validate: ({ body }) => void readNote(body.note ?? ''),
  })
  routes.add(contract.listFriendLinks, ({ caller }) => listLinks(deps, caller.userId))
  routes.add(contract.revokeFriendLink, async ({ caller, params }) => {
    await revokeLink(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.lookUpFriendLink, ({ caller, body }) => lookUpLink(deps, caller?.userId ?? null, body.code))
  routes.add(contract.acceptFriendLink, ({ caller, body }) => acceptLink(deps, caller.userId, body.code))
}
