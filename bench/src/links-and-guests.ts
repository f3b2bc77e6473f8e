import { parseArgs } from 'node:util'
import { startMeasuredPostgres } from './http/postgres.ts'
import { openBefore } from './links-and-guests/before.ts'
import { compareGuests, compareListOfPings, compareLookup } from './links-and-guests/costs.ts'
import { countStatements } from './links-and-guests/counts.ts'

/**
 * `npm run bench:links [-- --before ../before --runs 6]`: the budgets of friend links and guests. Statements, round trips and
 * bytes are exact; CPU times are compared in alternating runs. `--before` is a checkout of an earlier version, with which
 * sign-up, responses and the list of pings are compared. Exits with 1 if an exact budget is exceeded. Linux only.
 */
const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    runs: { type: 'string', default: '6' },
    'only-statements': { type: 'boolean', default: false },
  },
})
const plan = { runs: Number(options.runs), atOnce: 8, closedMs: 1000, warmMs: 5000 }

const postgres = await startMeasuredPostgres()
try {
  const before = options.before === undefined ? null : await openBefore(postgres, options.before)
  const database = await postgres.load('measured', 0.1)
  try {
    const isWithin = await countStatements(database, before)
    if (!isWithin) process.exitCode = 1
    if (!options['only-statements']) {
      if (before) await compareListOfPings(postgres, database, before, plan)
      await compareLookup(postgres, database, plan)
      await compareGuests(postgres, database, plan)
    }
  } finally {
    await database.close()
    await before?.close()
  }
} finally {
  await postgres.stop()
}
