import { type UserId } from '@hither/contract/ids.ts'
import { type CreatePing, pingLimits, pingTexts, quickPin } from '@hither/contract/pings.ts'
import { fault, InvalidInput, Refusal } from '../platform/refusal.ts'

const minuteMs = 60_000

/** A creation that broke no rule of its own: what is left to ask is who its friends are. */
export interface PingDraft {
  readonly name: string
  readonly message: string | null
  readonly address: string | null
  readonly latitude: number
  readonly longitude: number
  readonly isPublic: boolean
  readonly responsesVisible: boolean
  readonly activatesAt: Date | null
  readonly expiresAt: Date
  /** Each person once; `null`: all friends. */
  readonly recipientIds: readonly UserId[] | null
}

/** Throws `InvalidInput` with every fault at once, each with its sentence. */
export function draftOf(input: CreatePing, now: Date): PingDraft {
  const name = input.name.trim()
  const activatesAt = input.activates_at ? new Date(input.activates_at) : null
  const faults = [
    ...(name === '' ? [fault('body', 'name')(pingTexts.nameMissing)] : []),
    ...(lengthOf(name) > pingLimits.nameMax ? [fault('body', 'name')(pingTexts.nameTooLong)] : []),
    ...(isSchedulable(activatesAt, now) ? [] : [fault('body', 'activates_at')(pingTexts.scheduleInvalid)]),
  ]
  if (faults.length > 0) throw new InvalidInput(...faults)
  const durationMs = (input.duration_minutes ?? pingLimits.durationDefaultMinutes) * minuteMs
  return {
    name,
    message: input.message?.trim() || null,
    address: input.address?.trim() || null,
    latitude: input.latitude,
    longitude: input.longitude,
    isPublic: input.is_public ?? quickPin.is_public,
    responsesVisible: input.responses_visible ?? quickPin.responses_visible,
    activatesAt,
    expiresAt: new Date((activatesAt ?? now).getTime() + durationMs),
    recipientIds: input.recipient_ids ? [...new Set(input.recipient_ids.map(lowerCase))] : null,
  }
}

function isSchedulable(activatesAt: Date | null, now: Date): boolean {
  if (activatesAt === null) return true
  const aheadMs = activatesAt.getTime() - now.getTime()
  return aheadMs > 0 && aheadMs <= pingLimits.scheduleHorizonMs
}

/** Whom a ping is sent to. Throws `InvalidInput` for people who are no friends, and for nobody where it is not public. */
export function recipientsOf(draft: PingDraft, friendIds: readonly UserId[]): readonly UserId[] {
  const invalid = (text: string) => new InvalidInput(fault('body', 'recipient_ids')(text))
  if (draft.recipientIds === null) {
    if (!draft.isPublic && friendIds.length === 0) throw invalid(pingTexts.noFriends)
    return friendIds
  }
  const friends = new Set(friendIds)
  if (!draft.recipientIds.every((id) => friends.has(id))) throw invalid(pingTexts.recipientsNotFriends)
  if (!draft.isPublic && draft.recipientIds.length === 0) throw invalid(pingTexts.noRecipients)
  return draft.recipientIds
}

export function assertRoomForAnother(unexpired: number): void {
  if (unexpired >= pingLimits.unexpiredPerUser) throw new Refusal('too_many_pings')
}

// PostgreSQL and the contract count code points, JavaScript UTF-16 units.
function lengthOf(text: string): number {
  return [...text].length
}

// A UUID may come in capitals; ours are compared as text.
function lowerCase(id: UserId): UserId {
  return id.toLowerCase() as UserId
}
