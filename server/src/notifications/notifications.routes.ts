import * as contract from '@hither/contract/notifications.ts'
import type { Routes } from '../platform/http/routes.ts'
import * as preferences from './preferences.service.ts'
import { type SubscriptionsDeps, sendTest, subscribe, unsubscribe } from './push/subscriptions.service.ts'

export function addNotificationRoutes(routes: Routes, deps: SubscriptionsDeps): void {
  routes.add(contract.subscribeToPush, async ({ caller, body }) => {
    await subscribe(deps, caller, body)
    return null
  })
  routes.add(contract.unsubscribeFromPush, async ({ caller }) => {
    await unsubscribe(deps, caller)
    return null
  })
  routes.add(contract.getNotificationPreferences, ({ caller }) => preferences.getPreferences(deps, caller.userId))
  routes.add(contract.updateNotificationPreferences, ({ caller, body }) =>
    preferences.updatePreferences(deps, caller.userId, body),
  )
  routes.add(contract.listMutes, ({ caller, query }) => preferences.listMutes(deps, caller.userId, query))
  routes.add(contract.muteConversation, ({ caller, params, body }) =>
    preferences.muteConversation(deps, caller.userId, params.conversationId, body.muted_until),
  )
  routes.add(contract.unmuteConversation, async ({ caller, params }) => {
    await preferences.unmuteConversation(deps, caller.userId, params.conversationId)
    return null
  })
  routes.add(contract.sendTestNotification, async ({ caller }) => {
    await sendTest(deps, caller)
    return null
  })
}
