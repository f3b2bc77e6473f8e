import { type Static, Type } from 'typebox'
import { MessageId, UserId } from '../ids.ts'
import { reactionLimits } from '../runtime/messages/reactions.ts'
import { nullable, oneOf } from '../values.ts'

/** The members who reacted to a message with one emoji. `user_ids` are in the order of their reactions. */
export const ReactionGroup = Type.Object({
  emoji: Type.String(),
  user_ids: Type.Array(UserId, { maxItems: reactionLimits.perMessage }),
})
export type ReactionGroup = Static<typeof ReactionGroup>

/**
 * What the `content` of a message is: its text, the caption of its attachment, or without a caption the name of the place, or
 * only words for the kind of attachment.
 */
export const Shows = oneOf(['text', 'caption', 'name', 'kind'])
export type Shows = Static<typeof Shows>

/**
 * The quoted message as it is now. `excerpt` has at most 140 code points of its content, and is null after its deletion.
 * `sender_id` is null if the sender has deleted their account.
 */
export const Reply = Type.Object({
  id: MessageId,
  seq: Type.Integer(),
  sender_id: nullable(UserId),
  sender_username: Type.String(),
  kind: oneOf(['text', 'photo', 'place', 'deleted']),
  shows: Shows,
  excerpt: nullable(Type.String()),
})
export type Reply = Static<typeof Reply>

/** `width` and `height` are null if the file was erased with its sender's account. `caption` may be empty. */
export interface MessagePhoto {
  type: 'photo'
  caption: string
  width: number | null
  height: number | null
}

/** A location that the sender chose on the map. `caption` may be empty. */
export interface MessagePlace {
  type: 'place'
  caption: string
  name: string | null
  address: string | null
  latitude: number
  longitude: number
}

/** The schema is one object and not a union, because a union is slower to serialize. */
export const Attachment = Type.Unsafe<Attachment>(
  Type.Object({
    type: oneOf(['photo', 'place']),
    caption: Type.String(),
    width: Type.Optional(nullable(Type.Integer())),
    height: Type.Optional(nullable(Type.Integer())),
    name: Type.Optional(nullable(Type.String())),
    address: Type.Optional(nullable(Type.String())),
    latitude: Type.Optional(Type.Number()),
    longitude: Type.Optional(Type.Number()),
  }),
)
export type Attachment = MessagePhoto | MessagePlace
