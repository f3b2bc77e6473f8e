import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { PasskeySettings } from '../config/sign-in.ts'
import type { Announce } from '../events/changes.ts'
import { admitSignUp, assertAdmission, connectNewUser } from '../friend-links/signup-links.service.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import type { Presence } from '../presence/presence.ts'
import { newLockedUser } from '../users/user-locks.ts'
import { createUser } from '../users/users.service.ts'
import { findAccountByEmail } from './auth.queries.ts'
import type { IdentityTokens } from './identity-tokens.ts'
import type { Issuers } from './issuers.rules.ts'
import { assertMayGuess } from './known-devices.service.ts'
import type { OidcProvider } from './oidc/provider.ts'
import { assertUncommonPassword } from './password-hashing/common-passwords.ts'
import { hashPassword, isPassword } from './password-hashing/passwords.ts'
import { openSession, type SessionsDeps, type SignInDevice, withFriendLink } from './sessions.service.ts'
import { findLatestSignup } from './signups.queries.ts'

export interface AuthDeps extends SessionsDeps {
  /** Whether an address must be confirmed before the first sign-in. */
  confirmsEmail: boolean
  canSendMail: boolean
  /** Whether mail to this address can be sent, as far as it is known. */
  canReach(address: string): Promise<boolean>
  /** `null`: Google is not configured. */
  identityTokens: IdentityTokens | null
  /** The issuers of identities. */
  issuers: Issuers
  /** `null`: no OpenID Connect provider is configured. */
  oidc: OidcProvider | null
  /** `null`: passkeys are not available. */
  passkeys: PasskeySettings | null
  publicUrl: string
  log: FastifyBaseLogger
  rateLimits: RateLimits
  presence: Presence
  /**
   * Removes everything from an account that stays. Throws `ConcurrentChangeError` if
   * the transaction must start again.
   */
  emptyAccount(tx: Tx, announce: Announce, userId: UserId, now: Date): Promise<void>
}

export interface SignUpInput {
  readonly email: string
  readonly password: string
  readonly username: string
  readonly invitation?: string
  readonly friend_code?: string
}

/** Creates an account and signs it in. Refuses a taken username or address. */
export async function signUp(
  { pool, changes, tokens, presence, now }: AuthDeps,
  input: SignUpInput,
  device: SignInDevice,
): Promise<AuthSession> {
  const admission = await assertAdmission(pool, input, now())
  await assertUncommonPassword(input.password, 'password')
  // Hashed outside the transaction, since it takes longer than all of its statements.
  const passwordHash = await hashPassword(input.password)
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const times = { now: now(), validAt: now() }
    const link = await admitSignUp(tx, admission, times)
    const userId = newLockedUser()
    await createUser(tx, { id: userId, email: input.email, username: input.username, passwordHash, now: times.now })
    const friendLink = await connectNewUser({ presence }, tx, announce, { userId, admission, link, ...times })
    return withFriendLink(
      await openSession({ tx, withCommit }, tokens, userId, { device, method: 'password' }, times.now),
      friendLink,
    )
  })
}

/** Signs in with a password. An unknown address and a wrong password get the same refusal after the same work. */
export async function signIn(
  { pool, changes, tokens, now, confirmsEmail, rateLimits }: AuthDeps,
  input: { email: string; password: string },
  device: SignInDevice,
): Promise<AuthSession> {
  await assertMayGuess(pool, rateLimits, input.email, device.secret)
  const account = await findAccountByEmail(pool, input.email)
  const matches = await isPassword(input.password, account?.password_hash)
  if (account && matches) {
    if (confirmsEmail && account.email_confirmed_at === null) throw new Refusal('email_unconfirmed')
    const { id, password_hash: passwordHash } = account
    return changes.commit(pool, (tx, _announce, withCommit) =>
      openSession({ tx, withCommit }, tokens, id, { device, method: 'password', checked: { passwordHash } }, now()),
    )
  }
  if (confirmsEmail) {
    // Also looked up if there is an account: otherwise a sign-up followed by a sign-in would reveal whether one exists.
    const signup = await findLatestSignup(pool, input.email, now())
    if (await isPassword(input.password, signup?.password_hash)) throw new Refusal('email_unconfirmed')
  }
  throw new Refusal('invalid_credentials')
}
