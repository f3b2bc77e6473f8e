import * as contract from '@hither/contract/messages/reactions.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { readEmoji } from './reactions.rules.ts'
import { listReactions, removeReaction, setReaction } from './reactions.service.ts'

export function addReactionRoutes(routes: Routes, deps: MessagesDeps): void {
  routes.add(
    contract.setReaction,
    ({ caller, params, body }) => setReaction(deps, caller.userId, params.id, body.emoji),
    { validate: ({ body }) => void readEmoji(body.emoji) },
  )
  routes.add(contract.removeReaction, async ({ caller, params }) => {
    await removeReaction(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.listReactions, ({ caller, params }) => listReactions(deps, caller.userId, params.id))
}
