import type { IdentityKind, LinkedIdentity } from '@hither/contract/auth/oidc.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { AuthDeps } from './auth.service.ts'
import { deleteIdentities, listIdentities } from './identities.queries.ts'
import { issuerOf, kindOf } from './issuers.rules.ts'
import { assertRecentSignIn } from './recent-sign-in.service.ts'
import { recordSecurityEvent } from './security-events/security-events.service.ts'
import { lockCaller } from './sessions.service.ts'
import { assertMethodLeft } from './sign-in-methods.service.ts'

/** Lists the identities of the caller. Those of a provider that was configured before are left out. */
export async function listLinkedIdentities({ pool, issuers }: AuthDeps, { userId }: Caller): Promise<LinkedIdentity[]> {
  const rows = await listIdentities(pool, userId)
  return rows.flatMap(({ issuer, email, created_at }) => {
    const kind = kindOf(issuers, issuer)
    if (kind === null) return []
    const name = kind === 'google' ? 'Google' : (issuers.oidc?.name ?? '')
    return [{ kind, name, email, created_at }]
  })
}

/** Unlinks a provider unless it is the last way to sign in. */
export async function unlinkIdentity(
  deps: AuthDeps,
  caller: Caller,
  kind: IdentityKind,
  password: string | undefined,
  userAgent: string,
): Promise<void> {
  const { pool, changes, issuers, canSendMail, now } = deps
  const { userId, sessionId } = caller
  await assertRecentSignIn(deps, caller, password)
  const issuer = issuerOf(issuers, kind)
  if (issuer === null) return
  await changes.commit(pool, async (tx, announce, withCommit) => {
    await lockCaller(tx, caller, now())
    if ((await deleteIdentities(tx, userId, issuer)) === 0) return
    await assertMethodLeft(tx, issuers, userId)
    recordSecurityEvent(
      { tx, announce, withCommit, canSendMail },
      { userId, kind: 'provider_unlinked', sessionId, userAgent, at: now() },
    )
  })
}
