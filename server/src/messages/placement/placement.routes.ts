import * as contract from '@hither/contract/messages/messages.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { archiveConversation, pinConversation, unarchiveConversation, unpinConversation } from './placement.service.ts'

export function addPlacementRoutes(routes: Routes, deps: MessagesDeps): void {
  const calls = [
    [contract.pinConversation, pinConversation],
    [contract.unpinConversation, unpinConversation],
    [contract.archiveConversation, archiveConversation],
    [contract.unarchiveConversation, unarchiveConversation],
  ] as const
  for (const [operation, place] of calls)
    routes.add(operation, async ({ caller, params }) => {
      await place(deps, caller.userId, params.id)
      return null
    })
}
