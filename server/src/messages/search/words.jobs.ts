import type { FastifyBaseLogger } from 'fastify'
import { createJob, type Job } from '../../platform/async/job.ts'
import type { Pool } from '../../platform/db/database.ts'
import { wordsOf } from './search.rules.ts'
import * as queries from './words.queries.ts'

const batchRows = 500

/** Leaves the database to the calls between two batches. */
const pauseMs = 100

/** Makes the words of messages again that an update of Hither or a restored backup left as an earlier version made them. */
export function createWordJobs({ pool, log }: { pool: Pool; log: Pick<FastifyBaseLogger, 'error'> }): Job {
  return createJob({
    everyMs: 3_600_000,
    failure: 'words of messages failed',
    log,
    async run({ wake }) {
      const count = await pool.begin(async (tx) => {
        const messages = await queries.lockOutdated(tx, batchRows)
        if (messages.length > 0)
          await queries.updateWords(
            tx,
            messages.map(({ id, content, place_name }) => ({ id, words: wordsOf(content, place_name) })),
          )
        return messages.length
      })
      if (count === batchRows) wake(pauseMs)
    },
  })
}
