import type { FastifyBaseLogger } from 'fastify'
import { createJob, type Job, runInBatches } from '../../platform/async/job.ts'
import type { MessagesDeps } from '../chats.service.ts'
import { eraseChatBatch, findNextErasure } from './erasure.service.ts'

/** The longest sleep. A date that moved to an earlier time, or a clock that jumped, is noticed after it. */
const sleepMaxMs = 15_000
/** A chat may have many messages, and its erasure takes as long as all of them. */
const batch = 20

/** Erases the chats of pings at their dates. */
export function createChatErasureJobs(deps: MessagesDeps & { log: FastifyBaseLogger }): Job {
  const { log, now } = deps
  return createJob({
    everyMs: sleepMaxMs,
    failure: 'chat erasure failed',
    log,
    async run({ signal, wake }) {
      await runInBatches(batch, signal, [() => eraseChatBatch(deps, batch)])
      const next = await findNextErasure(deps)
      if (next !== null) wake(Date.parse(next) - now().getTime())
    },
  })
}
