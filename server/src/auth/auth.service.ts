import { type AuthSession } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { admit, assertMaySignUp } from '../moderation/admission.service.ts'
import { newId } from '../platform/ids.ts'
import { type RateLimits } from '../platform/rate-limits.ts'
import { Refusal } from '../platform/refusal.ts'
import { createUser } from '../users/users.service.ts'
import { findAccountByEmail } from './auth.queries.ts'
import { assertUncommonPassword } from './common-passwords.ts'
import { type IdentityTokens } from './identity-tokens.ts'
import { assertMayGuess } from './known-devices.service.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { openSession, type SessionsDeps, type SignInDevice } from './sessions.service.ts'
import { findLatestSignup } from './signups.queries.ts'

export interface AuthDeps extends SessionsDeps {
  /** Whether an address has to be confirmed before the first sign-in. */
  confirmsEmail: boolean
  canSendMail: boolean
  /** `null`: no identity provider is configured. */
  identityTokens: IdentityTokens | null
  rateLimits: RateLimits
}

/** Makes the account and signs it in. Refuses a taken username or address. */
export async function signUp(
  { pool, changes, tokens, now }: AuthDeps,
  input: { email: string; password: string; username: string; invitation?: string },
  device: SignInDevice,
): Promise<AuthSession> {
  const invitationId = await assertMaySignUp(pool, input.invitation, now())
  await assertUncommonPassword(input.password, 'password')
  // Outside the transaction: hashing takes longer than all of its statements.
  const passwordHash = await hashPassword(input.password)
  return changes.commit(pool, async (db, _announce, lastly) => {
    await admit(db, invitationId, now())
    const userId = newId<UserId>()
    await createUser(db, { id: userId, email: input.email, username: input.username, passwordHash, now: now() })
    return openSession({ db, lastly }, tokens, userId, device, now())
  })
}

/** The same refusal, after the same work, whether the address is unknown or the password wrong. */
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
    return changes.commit(pool, (db, _announce, lastly) =>
      openSession({ db, lastly }, tokens, account.id, device, now()),
    )
  }
  if (confirmsEmail) {
    // Also where there is an account: else a sign-up followed by this would tell of it.
    const signup = await findLatestSignup(pool, input.email, now())
    if (await isPassword(input.password, signup?.password_hash)) throw new Refusal('email_unconfirmed')
  }
  throw new Refusal('invalid_credentials')
}
