import type { Db, Tx } from '../src/platform/db/database.ts'

/** A node of a query plan, with the field names of PostgreSQL. */
type Step = Record<string, unknown>

/**
 * The query plan of the statement that `ask` runs, as a flat list of all plan nodes. With `analyze` the statement is
 * executed, and each node contains its actual row and loop counts. Without it a statement that writes is not executed, so it
 * needs no transaction.
 */
export async function planOf(
  db: Db,
  ask: (tx: Tx) => PromiseLike<unknown>,
  how: '' | 'analyze, ' = '',
): Promise<Step[]> {
  const explain = `explain (${how}format json) `
  const plans: PromiseLike<unknown>[] = []
  const recorded = <Plan extends PromiseLike<unknown>>(plan: Plan): Plan => {
    plans.push(plan)
    return plan
  }
  const tagged = (texts: TemplateStringsArray, ...values: never[]) =>
    recorded(db`${db.unsafe(explain)} ${db(texts, ...values)}`)
  const unsafe = (text: string, values: never[], options: object) =>
    recorded(db.unsafe(explain + text, values, options))
  await ask(Object.assign(tagged, { unsafe }) as unknown as Tx)
  return stepsOf(await Promise.all(plans))
}

function stepsOf(plan: unknown): Step[] {
  if (Array.isArray(plan)) return plan.flatMap(stepsOf)
  if (typeof plan !== 'object' || plan === null) return []
  return [plan as Step, ...Object.values(plan).flatMap(stepsOf)]
}
