import * as contract from '@hither/contract/messages/messages.ts'
import type { FilesDeps } from '../files/files.service.ts'
import { Answer, type Routes } from '../platform/http/routes.ts'
import {
  type CreationDeps,
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  listSummaries,
  renameConversation,
} from './conversations.service.ts'
import { editMessage } from './edits/edits.service.ts'
import { addKeepingRoutes } from './keeping/keeping.routes.ts'
import { addParticipant, joinConversation, leaveConversation, removeParticipant } from './members.service.ts'
import { readContent } from './messages.rules.ts'
import { deleteMessage, markRead } from './messages.service.ts'
import { addPhotoRoutes } from './photos/photos.routes.ts'
import { addPlacementRoutes } from './placement/placement.routes.ts'
import { addReactionRoutes } from './reactions/reactions.routes.ts'
import { addSearchRoutes } from './search/search.routes.ts'
import { readSending } from './sending/sending.rules.ts'
import { sendMessage } from './sending/sending.service.ts'

export function addMessageRoutes(routes: Routes, deps: CreationDeps & FilesDeps): void {
  routes.add(contract.listConversations, ({ caller, query }) => listConversations(deps, caller.userId, query))
  routes.add(contract.listConversationSummaries, ({ caller, query }) => listSummaries(deps, caller.userId, query))
  routes.add(contract.getConversation, ({ caller, params, query }) =>
    getConversation(deps, caller.userId, params.id, query),
  )
  routes.add(contract.createConversation, async ({ caller, body }) => {
    const { conversation, isNew } = await createConversation(deps, caller.userId, body)
    return new Answer(isNew ? 201 : 200, conversation)
  })
  routes.add(contract.joinConversation, ({ caller, params }) => joinConversation(deps, caller.userId, params.id))
  routes.add(
    contract.sendMessage,
    async ({ caller, body }) => {
      const { message, isNew } = await sendMessage(deps, caller.userId, body)
      return new Answer(isNew ? 201 : 200, { message })
    },
    { validate: ({ body }) => void readSending(body) },
  )
  routes.add(contract.addParticipant, ({ caller, params, body }) =>
    addParticipant(deps, caller.userId, params.id, body),
  )
  routes.add(contract.removeParticipant, ({ caller, params, body }) =>
    removeParticipant(deps, caller.userId, params.id, body),
  )
  routes.add(contract.leaveConversation, async ({ caller, params }) => {
    await leaveConversation(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.deleteConversation, async ({ caller, params }) => {
    await deleteConversation(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.renameConversation, ({ caller, params, body }) =>
    renameConversation(deps, caller.userId, params.id, body),
  )
  routes.add(contract.markConversationRead, ({ caller, params }) => markRead(deps, caller.userId, params.id))
  routes.add(
    contract.editMessage,
    async ({ caller, params, body }) => ({
      message: await editMessage(deps, caller.userId, params.id, body.content),
    }),
    // Whether the text may be empty depends on the message, which is read later.
    { validate: ({ body }) => void readContent(body.content, true) },
  )
  addPlacementRoutes(routes, deps)
  addKeepingRoutes(routes, deps)
  addPhotoRoutes(routes, deps)
  addReactionRoutes(routes, deps)
  addSearchRoutes(routes, deps)
  routes.add(contract.deleteMessage, async ({ caller, params }) => {
    await deleteMessage(deps, caller.userId, params.id)
    return null
  })
}
