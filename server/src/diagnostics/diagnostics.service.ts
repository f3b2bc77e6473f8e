import type { Check, CheckId, Diagnostics, TestMail } from '@hither/contract/diagnostics.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { diagnosticsLimits } from '@hither/contract/runtime/diagnostics.ts'
import { sourceLanguage } from '@hither/contract/runtime/locales.ts'
import type { FastifyBaseLogger } from 'fastify'
import { assertAdmin } from '../moderation/admins.service.ts'
import { TimeoutExceeded, withTimeout } from '../platform/async/with-timeout.ts'
import { newId } from '../platform/db/ids.ts'
import { translatorOf } from '../platform/languages/translator.ts'
import { renderMail } from '../platform/mail/mail-layout.ts'
import { type ArrivedRequest, judgeProxy, judgePublicAddress } from './address.rules.ts'
import { findEmail } from './diagnostics.queries.ts'
import { type ProbeDeps, probes } from './probes.ts'
import { testMail } from './test-mail.rules.ts'
import { failures, reasonOf, type Verdict } from './verdicts.rules.ts'

export interface DiagnosticsDeps extends ProbeDeps {
  readonly log: FastifyBaseLogger
}

/** Runs all checks in parallel. A check that does not finish in time is reported as such. */
export async function diagnose(
  deps: DiagnosticsDeps,
  adminId: UserId,
  request: Omit<ArrivedRequest, 'config'>,
): Promise<Diagnostics> {
  const { pool, config, now } = deps
  await assertAdmin(pool, adminId)
  const checks = await Promise.all([
    check('public_address', async () => judgePublicAddress({ ...request, config })),
    check('proxy', async () => judgeProxy({ ...request, config })),
    ...Object.entries(probes).map(([id, probe]) => check(id as CheckId, () => probe(deps))),
  ])
  return { checked_at: now().toISOString(), public_url: config.publicUrl, checks }
}

async function check(id: CheckId, runProbe: () => Promise<Verdict>): Promise<Check> {
  try {
    return { id, ...(await withTimeout(runProbe(), diagnosticsLimits.answerWithinMs)) }
  } catch (error) {
    return { id, state: 'failed', text: failures[id](reasonOf(error)) }
  }
}

/** Sends a test mail to the admin's own address, through the mailer of all mails. */
export async function sendTestMail(deps: DiagnosticsDeps, adminId: UserId): Promise<TestMail> {
  const { pool, mailer, config, log } = deps
  await assertAdmin(pool, adminId)
  const email = await findEmail(pool, adminId)
  if (mailer === null || config.mail === null || email === undefined)
    return { state: 'off', text: "Email can't be sent: SMTP_URL is not set." }
  const { host } = new URL(config.mail.smtpUrl)
  try {
    const mail = renderMail(testMail(config.publicUrl), translatorOf(sourceLanguage), config.serverName)
    await withTimeout(mailer.send({ to: email, ...mail }, newId<string>()), diagnosticsLimits.mailWithinMs)
    return { state: 'ok', text: `${host} accepted an email to ${email}. If it doesn't arrive, check your spam folder.` }
  } catch (error) {
    // Not the error itself: the response of a mail server contains the address.
    const { code = null, responseCode = null } = error as { code?: string; responseCode?: number }
    log.warn({ code, responseCode }, 'test mail delivery failed')
    if (error instanceof TimeoutExceeded)
      return {
        state: 'failed',
        text: `${host} didn't accept the email within ${diagnosticsLimits.mailWithinMs / 1000} seconds.`,
      }
    const reason = responseCode === null || code === 'EAUTH' ? reasonOf(error) : `it responded with ${responseCode}`
    return { state: 'failed', text: `${host} didn't accept the email (${reason}).` }
  }
}
