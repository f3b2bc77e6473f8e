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

/**
 * Counts how often the prepared statements of this connection whose text begins so have been planned for the values of one
 * call (`each`) and have run with a plan that serves all calls (`shared`). The database decides after five calls.
 */
export async function plansOf(tx: Tx, beginning: string): Promise<{ each: number; shared: number }[]> {
  return tx<{ each: number; shared: number }[]>`
    select custom_plans::int as each, generic_plans::int as shared from pg_prepared_statements
    where starts_with(ltrim(statement, E' \\n'), ${beginning})`
}

function stepsOf(plan: unknown): Step[] {
  if (Array.isArray(plan)) return plan.flatMap(stepsOf)
  if (typeof plan !== 'object' || plan === null) return []
  return [plan as Step, ...Object.values(plan).flatMap(stepsOf)]
}
