import type { AcceptedFriendLink, FriendLinkRelation } from '@hither/contract/friend-links.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { friendLinkLimits } from '@hither/contract/runtime/friend-links.ts'
import { cleanLine } from '@hither/contract/runtime/texts.ts'
import { InvalidInput } from '../platform/errors/refusal.ts'
import type { UsableLink } from './friend-links.queries.ts'

const codePattern = /^([A-Za-z0-9_-]{22})(?:\.[A-Za-z0-9_-]{0,128})?$/

/**
 * Removes the suffix of a code, which is reserved for later versions. Returns a malformed code as it is: no link has its
 * hash, so it is refused after the same query as an unknown code.
 */
export function withoutSuffix(code: string): string {
  return codePattern.exec(code)?.[1] ?? code
}

/** Returns the note in one line. Refuses one that is too long. */
export function readNote(text: string): string {
  const note = cleanLine(text)
  const limit = friendLinkLimits.noteMax
  // Lengths are in code points, as in the database.
  if ([...note].length > limit) {
    const msg = `Must be at most ${limit} characters`
    throw new InvalidInput({ loc: ['body', 'note'], msg, type: 'maxLength', code: 'too_long', params: { limit } })
  }
  return note
}

type Relation = Pick<UsableLink, 'user_id' | 'are_friends' | 'requester_id'>

/** The relation of a user to the creator of a link. */
export function relationOf(link: Relation, userId: UserId): FriendLinkRelation {
  if (link.user_id === userId) return 'own'
  if (link.are_friends) return 'friends'
  if (link.requester_id === null) return 'none'
  return link.requester_id === userId ? 'request_sent' : 'request_received'
}

interface Outcome {
  readonly status: AcceptedFriendLink['status']
  /** What the use of the link creates, if anything. */
  readonly creates: 'friendship' | 'request' | null
}

/** Decides what a user gets who uses the link of somebody else. */
export function outcomeOf(link: Relation & Pick<UsableLink, 'requires_approval'>, userId: UserId): Outcome {
  const relation = relationOf(link, userId)
  if (relation === 'friends') return { status: 'accepted', creates: null }
  if (relation === 'request_received' || !link.requires_approval) return { status: 'accepted', creates: 'friendship' }
  return { status: 'pending', creates: relation === 'request_sent' ? null : 'request' }
}
