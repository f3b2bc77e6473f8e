import { Type } from 'typebox'

declare const brand: unique symbol
type Id<Name extends string> = string & { readonly [brand]: Name }

export type UserId = Id<'user'>
export type SessionId = Id<'session'>
export type FriendshipId = Id<'friendship'>
export type FriendRequestId = Id<'friend_request'>
export type PingId = Id<'ping'>
export type RecipientId = Id<'recipient'>
export type ConversationId = Id<'conversation'>
export type MessageId = Id<'message'>
export type PhotoId = Id<'photo'>
export type ReportId = Id<'report'>
export type FriendLinkId = Id<'friend_link'>
export type InvitationId = Id<'invitation'>
export type AdminActionId = Id<'admin_action'>
export type GuestId = Id<'guest'>
export type CircleId = Id<'circle'>
export type PasskeyId = Id<'passkey'>
export type SecurityEventId = Id<'security_event'>

/** Ids are UUIDv7, and only the server creates them. Validation accepts any well-formed UUID, so that an unknown id is a 404 and not a 422. */
function id<T extends string>() {
  return Type.Unsafe<T>({ type: 'string', format: 'uuid' })
}

export const UserId = id<UserId>()
export const SessionId = id<SessionId>()
export const FriendshipId = id<FriendshipId>()
export const FriendRequestId = id<FriendRequestId>()
export const PingId = id<PingId>()
export const RecipientId = id<RecipientId>()
export const ConversationId = id<ConversationId>()
export const MessageId = id<MessageId>()
export const PhotoId = id<PhotoId>()
export const ReportId = id<ReportId>()
export const FriendLinkId = id<FriendLinkId>()
export const InvitationId = id<InvitationId>()
export const AdminActionId = id<AdminActionId>()
export const GuestId = id<GuestId>()
export const CircleId = id<CircleId>()
export const PasskeyId = id<PasskeyId>()
export const SecurityEventId = id<SecurityEventId>()
