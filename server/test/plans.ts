import { type Db } from '../src/platform/database.ts'

/** A step of a plan, by the database's names. */
export type Step = Record<string, unknown>

/**
 * How the database runs the very statement that `ask` asks: every step, those within others too. With `analyze` it is run,
 * and each step says how often it was.
 */
export async function planOf(
  db: Db,
  ask: (db: Db) => PromiseLike<unknown>,
  how: '' | 'analyze, ' = '',
): Promise<Step[]> {
  const explain = `explain (${how}format json) `
  const tagged = (texts: TemplateStringsArray, ...values: never[]) => db`${db.unsafe(explain)} ${db(texts, ...values)}`
  const unsafe = (text: string, values: never[], options: object) => db.unsafe(explain + text, values, options)
  const rows = await ask(Object.assign(tagged, { unsafe }) as unknown as Db)
  return stepsOf(rows)
}

function stepsOf(plan: unknown): Step[] {
  if (Array.isArray(plan)) return plan.flatMap(stepsOf)
  if (typeof plan !== 'object' || plan === null) return []
  return [plan as Step, ...Object.values(plan).flatMap(stepsOf)]
}
