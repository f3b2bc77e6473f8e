import { type Static, Type } from 'typebox'

/**
 * Every refusal the product speaks, with its HTTP status and its sentence for people.
 * The server throws a code; the client may compare `detail` with the text of a code. No sentence stands anywhere else.
 */
export const refusals = {
  authentication_required: { status: 401, detail: 'Authentication required' },
  invalid_credentials: { status: 401, detail: 'Invalid email or password' },
  invalid_refresh_token: { status: 401, detail: 'Invalid refresh token' },
  email_unconfirmed: { status: 403, detail: 'Please confirm your email address before signing in' },
  confirmation_invalid: { status: 400, detail: 'Confirmation link is invalid or has expired' },
  signup_unproven: { status: 403, detail: 'Please enter the password you signed up with' },
  reset_invalid: { status: 400, detail: 'Password reset link is invalid or has expired' },
  mail_not_configured: { status: 501, detail: 'This server cannot send mail, so a password cannot be reset' },
  wrong_password: { status: 403, detail: 'The password is not correct' },
  identity_required: { status: 403, detail: 'Please sign in with Google again to do this' },
  session_not_found: { status: 404, detail: 'Session not found' },
  username_taken: { status: 409, detail: 'Username already taken' },
  email_registered: { status: 409, detail: 'Email already registered' },
  google_not_configured: { status: 501, detail: 'Google sign-in is not configured' },
  invalid_identity_token: { status: 401, detail: 'Invalid identity token' },
  identity_provider_unreachable: {
    status: 503,
    detail: 'Google sign-in cannot be reached right now. Please try again in a moment.',
  },
  user_not_found: { status: 404, detail: 'User not found' },
  not_own_profile: { status: 403, detail: 'You can only change your own profile' },
  own_friend_request: { status: 400, detail: 'You cannot send a friend request to yourself' },
  already_friends: { status: 409, detail: 'You are already friends' },
  friend_request_sent: { status: 409, detail: 'Friend request already sent' },
  friend_request_not_found: { status: 404, detail: 'Friend request not found' },
  friend_request_not_yours_to_accept: {
    status: 403,
    detail: 'Only the person who was asked can accept a friend request',
  },
  friend_not_found: { status: 404, detail: 'Friend not found' },
  ping_not_found: { status: 404, detail: 'Pin not found or has expired' },
  no_active_ping: { status: 404, detail: 'No active ping' },
  ping_not_owned: { status: 403, detail: 'Only the owner can delete this ping' },
  ping_not_changeable: { status: 403, detail: 'Only the owner can change this ping' },
  ping_not_active: { status: 409, detail: 'Only an active ping can be given more time or ended.' },
  ping_life_exceeded: { status: 409, detail: 'A ping can last four hours at most.' },
  ping_not_scheduled: { status: 409, detail: 'Only a scheduled ping has a calendar entry.' },
  not_invited: { status: 403, detail: 'Only invited friends can respond' },
  ping_expired: { status: 409, detail: 'This ping has expired. No new responses can be submitted.' },
  responses_hidden: { status: 403, detail: 'Only the owner can see the responses to this ping' },
  too_many_pings: { status: 409, detail: 'You have 50 pings that have not expired yet. Delete one to make room.' },
  conversation_not_found: { status: 404, detail: 'Conversation not found' },
  message_not_found: { status: 404, detail: 'Message not found' },
  not_messageable: { status: 403, detail: 'You can only message friends' },
  ping_chat_not_owned: { status: 403, detail: 'Only the owner can start the chat of this ping' },
  direct_unmanageable: { status: 403, detail: 'Only group chats can be changed' },
  direct_not_left: { status: 400, detail: 'You can only leave a group chat' },
  not_group_admin: { status: 403, detail: 'Only group admins can do this' },
  not_addable: { status: 403, detail: 'You can only add your friends' },
  own_removal: { status: 400, detail: 'You cannot remove yourself. Leave the group instead.' },
  participant_not_found: { status: 404, detail: 'Participant not found' },
  message_not_yours: { status: 403, detail: 'Only its sender or a group admin can delete a message' },
  push_not_subscribed: { status: 404, detail: 'This device receives no notifications' },
  image_not_found: { status: 404, detail: 'Image not found' },
  ping_image_not_owned: { status: 403, detail: 'Only the owner can change the image of this ping' },
  not_an_image: { status: 415, detail: 'Please select an image file' },
  profile_image_too_large: { status: 413, detail: 'Image must be less than 5MB' },
  ping_image_too_large: { status: 413, detail: 'Image must be less than 10MB' },
  account_suspended: {
    status: 403,
    detail: 'This account is suspended. Please contact whoever runs this server.',
  },
  registration_closed: { status: 403, detail: 'This server takes no new accounts at the moment.' },
  invitation_required: { status: 403, detail: 'You need an invitation link to sign up here.' },
  invitation_invalid: {
    status: 403,
    detail: 'This invitation link is not valid any more. Please ask for another one.',
  },
  own_report: { status: 400, detail: 'You cannot report yourself or what is yours' },
  report_not_found: { status: 404, detail: 'Report not found' },
  report_handled: { status: 409, detail: 'This report has been handled already' },
  report_not_deletable: { status: 409, detail: 'A person cannot be deleted. Suspend them instead.' },
  admin_code_invalid: {
    status: 403,
    detail: 'This code is not valid. Restart the server to have another one printed.',
  },
  admin_not_suspendable: { status: 409, detail: 'An admin cannot be suspended' },
  suspended_not_appointable: { status: 409, detail: 'A suspended person cannot be an admin' },
  last_admin: { status: 409, detail: 'Make somebody else an admin first' },
  invitation_not_found: { status: 404, detail: 'Invitation not found' },
  too_many_invitations: { status: 409, detail: 'There are too many invitation links. Revoke one to make room.' },
  map_not_found: { status: 404, detail: 'Map not found' },
  server_busy: { status: 503, detail: 'The server is busy. Please try again in a moment.' },
  unavailable: { status: 503, detail: 'The server cannot do this right now. Please try again in a moment.' },
  rate_limited: { status: 429, detail: 'Too many attempts. Please wait a moment and try again.' },
  route_not_found: { status: 404, detail: 'Not found' },
  method_not_allowed: { status: 405, detail: 'Method not allowed' },
  body_too_large: { status: 413, detail: 'Request body is too large' },
  header_too_large: { status: 431, detail: 'Request headers are too large' },
  request_too_slow: { status: 408, detail: 'The request took too long to arrive' },
  unsupported_media_type: { status: 415, detail: 'Unsupported media type' },
  bad_request: { status: 400, detail: 'Bad request' },
  not_ready: { status: 503, detail: 'The database or the cache cannot be reached' },
} as const satisfies Record<string, { status: number; detail: string }>

export type RefusalCode = keyof typeof refusals

/** One fault of an input: where it is (`loc` starts with `body`, `query`, `path` or `header`), what to say, and a machine word. */
export const Fault = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String(),
})
export type Fault = Static<typeof Fault>

/** The body of every answer that is not a success. A list means 422. */
export const ErrorBody = Type.Object({ detail: Type.Union([Type.String(), Type.Array(Fault)]) })
export type ErrorBody = Static<typeof ErrorBody>
