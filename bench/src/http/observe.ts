import { productAt } from './load.ts'
import { startProduct } from './product.ts'
import { type CallStatements, generalise } from './statements.ts'
import { tap } from './tap.ts'
import type { SignedIn } from './visitors.ts'
import { singleWorkloads, type Workload } from './workloads.ts'

type Observed = CallStatements & { readonly roundTrips: number }

/** Records the statements of the product in each workload with a proxy in front of its database. */
export async function observe(databaseUrl: string, visitors: readonly SignedIn[]): Promise<Map<string, Observed>> {
  const line = await tap(databaseUrl)
  const server = await startProduct({ url: line.url })
  const target = productAt(server.url)
  try {
    const observed = new Map<string, Observed>()
    for (const workload of singleWorkloads) {
      // Each connection prepares each statement once.
      for (let round = 0; round < 24; round++) await target.call(workload.next(visitors))
      const listen = () => listenTo(workload)
      let before = await listen()
      let now = await listen()
      // A job of the server may have run in between.
      for (let round = 0; textsOf(before) !== textsOf(now); round++) {
        if (round === 20) throw new Error(`${workload.id} never asks the same twice`)
        before = now
        now = await listen()
      }
      observed.set(workload.id, now)
    }
    return observed
  } finally {
    target.close()
    await server.stop()
    await line.close()
  }

  async function listenTo(workload: Workload): Promise<Observed> {
    const call = workload.next(visitors)
    const calledAt = Date.now()
    line.start()
    await target.call(call)
    const { statements, roundTrips } = line.stop()
    for (const { isNamed, text, values } of statements)
      if (!isNamed && values.length > 0) process.stderr.write(`Not prepared, in ${workload.id}: ${text}\n`)
    return { ...generalise(statements, call.inputs, calledAt), roundTrips }
  }
}

function textsOf({ statements }: CallStatements): string {
  return statements.map(({ text }) => text).join('\n')
}
