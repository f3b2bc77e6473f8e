import * as contract from '@hither/contract/messages/messages.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { keepConversation, takeBackKeepRequest } from './keeping.service.ts'

export function addKeepingRoutes(routes: Routes, deps: MessagesDeps): void {
  routes.add(contract.keepConversation, ({ caller, params }) => keepConversation(deps, caller.userId, params.id))
  routes.add(contract.takeBackKeepRequest, async ({ caller, params }) => {
    await takeBackKeepRequest(deps, caller.userId, params.id)
    return null
  })
}
