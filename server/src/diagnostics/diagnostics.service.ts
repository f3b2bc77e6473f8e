import {
  type Check,
  type CheckId,
  type Diagnostics,
  diagnosticsLimits,
  type TestMail,
} from '@hither/contract/diagnostics.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type FastifyBaseLogger } from 'fastify'
import { assertAdmin } from '../moderation/admins.service.ts'
import { layOut } from '../notifications/mail-layout.ts'
import { newId } from '../platform/ids.ts'
import { inTime, NotInTime } from '../platform/in-time.ts'
import { judgeProxy, judgePublicAddress, type Way } from './address.rules.ts'
import { findEmail } from './diagnostics.queries.ts'
import { type ProbeDeps, probes } from './probes.ts'
import { testLetter } from './test-mail.rules.ts'
import { failures, reasonOf, type Verdict } from './verdicts.rules.ts'

export interface DiagnosticsDeps extends ProbeDeps {
  readonly log: FastifyBaseLogger
}

/** All at once, and none waits for another: what hangs is told as such while the rest is there. */
export async function diagnose(deps: DiagnosticsDeps, adminId: UserId, way: Omit<Way, 'config'>): Promise<Diagnostics> {
  const { pool, config, now } = deps
  await assertAdmin(pool, adminId)
  const checks = await Promise.all([
    check('public_address', async () => judgePublicAddress({ ...way, config })),
    check('proxy', async () => judgeProxy({ ...way, config })),
    ...Object.entries(probes).map(([id, probe]) => check(id as CheckId, () => probe(deps))),
  ])
  return { checked_at: now().toISOString(), public_url: config.publicUrl, checks }
}

async function check(id: CheckId, look: () => Promise<Verdict>): Promise<Check> {
  try {
    return { id, ...(await inTime(look(), diagnosticsLimits.answerWithinMs)) }
  } catch (error) {
    return { id, state: 'failed', text: failures[id](reasonOf(error)) }
  }
}

/** To their own address and no other, on the way that every mail takes. */
export async function sendTestMail(deps: DiagnosticsDeps, adminId: UserId): Promise<TestMail> {
  const { pool, mailer, config, log } = deps
  await assertAdmin(pool, adminId)
  const email = await findEmail(pool, adminId)
  if (mailer === null || config.mail === null || email === undefined)
    return { state: 'off', text: 'No mail can be sent: SMTP_URL is not set.' }
  const { host } = new URL(config.mail.smtpUrl)
  try {
    const letter = layOut(testLetter(config.publicUrl))
    await inTime(mailer.send({ to: email, ...letter }, newId<string>()), diagnosticsLimits.mailWithinMs)
    return { state: 'ok', text: `${host} took a mail to ${email}. If it does not come, look among the spam.` }
  } catch (error) {
    // Not the error itself: what a mail server says holds the address.
    const { code = null, responseCode = null } = error as { code?: string; responseCode?: number }
    log.warn({ code, responseCode }, 'the test mail was not taken')
    if (error instanceof NotInTime)
      return {
        state: 'failed',
        text: `${host} has not taken the mail within ${diagnosticsLimits.mailWithinMs / 1000} seconds.`,
      }
    const said = responseCode === null || code === 'EAUTH' ? reasonOf(error) : `it answered ${responseCode}`
    return { state: 'failed', text: `${host} did not take the mail (${said}).` }
  }
}
