import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { type Caller } from '../auth/tokens.ts'
import { type Admission, Busy } from './admission.ts'
import { type JoinConfig, JoinRefusal } from './bindings.ts'
import { type Refused } from './callers.ts'
import { conversationOf, isConversationTopic } from './conversations.ts'
import { type Feeds, type OpenFeed, TooManyBindings } from './feeds.ts'
import { type Vsn } from './protocol.ts'

/** What a join asks for, in our form. */
export interface Asked {
  readonly caller: Caller
  readonly config: JoinConfig
  /** Those it may only join as a member of. */
  readonly conversations: readonly ConversationId[]
}

interface Entrance {
  readonly topic: string
  readonly vsn: Vsn
  readonly clientId: string | null
}

export interface Admitted {
  readonly opened: OpenFeed
  /** Where it is `false` the app may have missed something. */
  readonly isResumed: boolean
}

export interface DoormanDeps {
  readonly admission: Admission
  readonly feeds: Feeds
  readonly isMember: (conversationId: ConversationId, userId: UserId) => Promise<boolean>
  readonly onError: (error: unknown) => void
}

/** Decides on joins, one after another where many come at once. */
export interface Doorman {
  /** Throws `JoinRefusal` where the topic is none. */
  read(caller: Caller, topic: string, config: JoinConfig): Asked
  /** Never rejects. Whoever is admitted listens already: what is written from then on, they will hear. */
  admit(asked: Asked, entrance: Entrance): Promise<Admitted | Refused>
}

export function createDoorman({ admission, feeds, isMember, onError }: DoormanDeps): Doorman {
  return {
    read(caller, topic, config) {
      const conversation = conversationOf(topic)
      if (isConversationTopic(topic) && conversation === null)
        throw new JoinRefusal('The topic is not of the form conversation:<id>')
      const conversations = new Set([...config.conversations, ...(conversation ? [conversation] : [])])
      return { caller, config, conversations: [...conversations] }
    },
    async admit(asked, entrance) {
      let isLate = false
      try {
        return await admission.run(asked.caller.userId, () => decide(asked, entrance, () => isLate))
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
    { caller, config, conversations }: Asked,
    entrance: Entrance,
    isLate: () => boolean,
  ): Promise<Admitted | Refused> {
    for (const conversation of conversations) {
      if (await isMember(conversation, caller.userId)) continue
      const reason = `Unauthorized: you are not a member of the conversation ${conversation}`
      return { reason, isPermanent: true }
    }
    const { bindings, resumeAfter } = config
    const opened = feeds.open({ ...entrance, bindings, resumeAfter, caller })
    const isResumed = await opened.ready
    if (isLate()) opened.release('keep')
    return { opened, isResumed }
  }
}
