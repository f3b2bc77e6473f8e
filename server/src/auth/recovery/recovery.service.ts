import {
  type NewRecoveryCodes,
  type Recovery,
  type RecoveryCodes,
  wrongCodeLimit,
} from '@hither/contract/auth/recovery.ts'
import { recoveryLimits } from '@hither/contract/runtime/auth/recovery.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import { assertNotSuspended } from '../../admission/admission.service.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { lockUserWithEmailShared } from '../../users/user-locks.ts'
import type { AuthDeps } from '../auth.service.ts'
import { insertMailToken } from '../mails/mail-tokens.queries.ts'
import { assertRecentSignIn } from '../recent-sign-in.service.ts'
import { recordSecurityEvent } from '../security-events/security-events.service.ts'
import { lockCaller } from '../sessions.service.ts'
import * as queries from './recovery.queries.ts'
import { newRecoveryCode, readRecoveryCode } from './recovery.rules.ts'

/** Creates a set of codes, which replaces the previous one. Of two sets at once, the later one stays. */
export async function createRecoveryCodes(
  deps: AuthDeps,
  caller: Caller,
  password: string | undefined,
  userAgent: string,
): Promise<NewRecoveryCodes> {
  const { pool, changes, canSendMail, now } = deps
  const { userId, sessionId } = caller
  await assertRecentSignIn(deps, caller, password)
  const codes = Array.from({ length: recoveryLimits.codes }, newRecoveryCode)
  const hashes = codes.map((code) => hashOf(readRecoveryCode(code)))
  return changes.commit(pool, async (tx, announce, withCommit) => {
    await lockCaller(tx, caller, now())
    const at = now()
    await queries.deleteCodesOf(tx, userId)
    await queries.insertCodes(tx, userId, hashes, at)
    recordSecurityEvent(
      { tx, announce, withCommit, canSendMail },
      { userId, kind: 'recovery_codes_created', sessionId, userAgent, at },
    )
    return { codes, created_at: at.toISOString() }
  })
}

export function getRecoveryCodes({ pool }: Pick<AuthDeps, 'pool'>, { userId }: Caller): Promise<RecoveryCodes> {
  return queries.findCodes(pool, userId)
}

/**
 * Exchanges a recovery code for a token that sets a new password. An unknown address and a wrong code get the same refusal
 * after the same work.
 */
export async function recover(
  deps: AuthDeps,
  input: { email: string; code: string },
  userAgent: string,
): Promise<Recovery> {
  try {
    return await takeCode(deps, input, userAgent)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'recovery_invalid')) throw error
    const wait = await deps.rateLimits.take(`recovery of ${emailKeyOf(input.email)}`, wrongCodeLimit)
    throw wait === null ? error : new Refusal('rate_limited', wait)
  }
}

async function takeCode(
  { pool, changes, canSendMail, now }: AuthDeps,
  { email, code }: { email: string; code: string },
  userAgent: string,
): Promise<Recovery> {
  const hash = hashOf(readRecoveryCode(code))
  const token = newSecretToken()
  await changes.commit(pool, async (tx, announce, withCommit) => {
    const at = now()
    const userId = await lockUserWithEmailShared(tx, email)
    const isUsed = await queries.updateUsed(tx, userId, hash, at)
    if (userId === null || !isUsed) throw new Refusal('recovery_invalid')
    await assertNotSuspended(tx, userId, at)
    const expiresAt = new Date(at.getTime() + recoveryLimits.resetMinutes * 60_000)
    await insertMailToken(tx, {
      ...{ hash: hashOf(token), purpose: 'reset', source: 'recovery', userId, signupId: null },
      ...{ now: at, expiresAt },
    })
    recordSecurityEvent(
      { tx, announce, withCommit, canSendMail },
      { userId, kind: 'recovery_code_used', sessionId: null, userAgent, at },
    )
  })
  return { reset_token: token, expires_in: recoveryLimits.resetMinutes * 60 }
}
