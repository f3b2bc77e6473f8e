import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { conversationOf, isConversationTopic } from '../broadcasts/conversation-topics.ts'
import { JoinRefusal } from '../subscriptions/bindings.ts'
import type { JoinConfig } from '../subscriptions/join-config.ts'
import type { Refused } from './callers.ts'
import { Busy, type JoinQueue } from './join-queue.ts'

/** A parsed join. */
export interface JoinRequest {
  readonly caller: Caller
  readonly config: JoinConfig
  /** The conversations of which the caller must be a member. */
  readonly conversations: readonly ConversationId[]
}

export interface AcceptedJoin {
  /** See `JoinConfig`; `null` also if this node may not know everything that was committed before the join. */
  readonly resumeAfter: string | null
}

interface JoinAuthorizerDeps {
  readonly joinQueue: JoinQueue
  readonly isMember: (conversationId: ConversationId, userId: UserId) => Promise<boolean>
  /** See `Outbox`. */
  readonly catchUp: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Decides whether joins are accepted. Concurrent joins wait in the join queue. */
export interface JoinAuthorizer {
  /** Throws `JoinRefusal` if the topic is not valid. */
  read(caller: Caller, topic: string, config: JoinConfig): JoinRequest
  /** Never rejects. When a join is accepted, this node has delivered everything that was committed before it. */
  admit(request: JoinRequest): Promise<AcceptedJoin | Refused>
}

export function createJoinAuthorizer({ joinQueue, isMember, catchUp, onError }: JoinAuthorizerDeps): JoinAuthorizer {
  return {
    read(caller, topic, config) {
      const conversation = conversationOf(topic)
      if (isConversationTopic(topic) && conversation === null)
        throw new JoinRefusal('The topic is not of the form conversation:<id>')
      const conversations = new Set([...config.bindings.conversations, ...(conversation ? [conversation] : [])])
      return { caller, config, conversations: [...conversations] }
    },
    async admit(request) {
      try {
        return await joinQueue.run(request.caller.userId, () => decide(request))
      } catch (error) {
        if (!(error instanceof Busy)) onError(error)
        return { reason: 'Busy: please try again', isPermanent: false }
      }
    },
  }

  async function decide({ caller, config, conversations }: JoinRequest): Promise<AcceptedJoin | Refused> {
    for (const conversation of conversations) {
      if (await isMember(conversation, caller.userId)) continue
      const reason = `Unauthorized: you are not a member of the conversation ${conversation}`
      return { reason, isPermanent: true }
    }
    if (config.bindings.all.length === 0) return { resumeAfter: null }
    try {
      // Another node may have sent the change that the client names before this node has read it, and what the user may no longer
      // see must be known before anything is replayed.
      await catchUp()
      return { resumeAfter: config.resumeAfter }
    } catch (error) {
      onError(error)
      return { resumeAfter: null }
    }
  }
}
