import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { conversationOf, isConversationTopic } from '../broadcasts/conversation-topics.ts'
import { JoinRefusal } from '../subscriptions/bindings.ts'
import type { JoinConfig } from '../subscriptions/join-config.ts'
import { type OpenSubscription, type Subscriptions, TooManyBindings } from '../subscriptions/subscriptions.ts'
import type { Refused } from './callers.ts'
import { Busy, type JoinQueue } from './join-queue.ts'

/** A parsed join. */
export interface JoinRequest {
  readonly caller: Caller
  readonly config: JoinConfig
  /** The conversations of which the caller must be a member. */
  readonly conversations: readonly ConversationId[]
}

interface Entrance {
  readonly topic: string
  readonly clientId: string | null
}

export interface AcceptedJoin {
  /** `null` if the channel has no bindings. */
  readonly opened: OpenSubscription | null
  /** `false`: the client may have missed changes. */
  readonly isResumed: boolean
}

interface JoinAuthorizerDeps {
  readonly joinQueue: JoinQueue
  readonly subscriptions: Subscriptions
  readonly isMember: (conversationId: ConversationId, userId: UserId) => Promise<boolean>
  readonly onError: (error: unknown) => void
}

/** Decides whether joins are accepted. Concurrent joins wait in the join queue. */
export interface JoinAuthorizer {
  /** Throws `JoinRefusal` if the topic is not valid. */
  read(caller: Caller, topic: string, config: JoinConfig): JoinRequest
  /** Never rejects. An accepted join is already subscribed: it receives every later change. */
  admit(request: JoinRequest, entrance: Entrance): Promise<AcceptedJoin | Refused>
}

export function createJoinAuthorizer({
  joinQueue,
  subscriptions,
  isMember,
  onError,
}: JoinAuthorizerDeps): JoinAuthorizer {
  return {
    read(caller, topic, config) {
      const conversation = conversationOf(topic)
      if (isConversationTopic(topic) && conversation === null)
        throw new JoinRefusal('The topic is not of the form conversation:<id>')
      const conversations = new Set([...config.bindings.conversations, ...(conversation ? [conversation] : [])])
      return { caller, config, conversations: [...conversations] }
    },
    async admit(request, entrance) {
      let isLate = false
      try {
        return await joinQueue.run(request.caller.userId, () => decide(request, entrance, () => isLate))
      } catch (error) {
        isLate = true
        if (error instanceof TooManyBindings)
          return { reason: 'Too many subscriptions: close some', isPermanent: false }
        if (!(error instanceof Busy)) onError(error)
        return { reason: 'Busy: please try again', isPermanent: false }
      }
    },
  }

  async function decide(
    { caller, config, conversations }: JoinRequest,
    entrance: Entrance,
    isLate: () => boolean,
  ): Promise<AcceptedJoin | Refused> {
    for (const conversation of conversations) {
      if (await isMember(conversation, caller.userId)) continue
      const reason = `Unauthorized: you are not a member of the conversation ${conversation}`
      return { reason, isPermanent: true }
    }
    const { bindings, resumeAfter } = config
    // Broadcasts and presence need no subscription.
    if (bindings.all.length === 0) return { opened: null, isResumed: true }
    const opened = subscriptions.open({ ...entrance, bindings, resumeAfter, caller })
    const isResumed = await opened.ready
    if (isLate()) opened.release('keep')
    return { opened, isResumed }
  }
}
