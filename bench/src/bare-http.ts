import { fastify } from 'fastify'
import postgres from 'postgres'
import { type CallStatements, fillOf, type Statement } from './http/statements.ts'
import type { Inputs } from './http/workloads.ts'

/** The type id of `bytea` in PostgreSQL. */
const byteaType = 17

/**
 * The baseline for HTTP: the SQL statements of the product, prepared once, without authentication, validation or live changes.
 * The statements of a write are pipelined in one transaction.
 */
const sql = postgres(process.env['DATABASE_URL'] ?? '', { max: 8, connection: { TimeZone: 'UTC' } })
const app = fastify()
const workloads = JSON.parse(process.env['STATEMENTS'] ?? '{}') as Record<string, CallStatements>

for (const [id, { isTransaction, statements }] of Object.entries(workloads)) {
  const prepared = statements.map(prepare)
  const answer = async (inputs: Inputs) => {
    const fresh = new Map<string, string>()
    if (!isTransaction) {
      const [first, ...others] = prepared.map((ask) => ask(sql, inputs, fresh))
      return others.length === 0 ? first : Promise.all([first, ...others])
    }
    const results = await sql.begin((db) => prepared.map((ask) => ask(db, inputs, fresh)))
    // The result with the most columns is the response. The other statements are checks.
    return results.reduce((widest, one) => (widthOf(one) > widthOf(widest) ? one : widest))
  }
  app.get(`/${id}`, (request) => answer(request.query as Inputs))
  app.post(`/${id}`, (request) => answer(request.body as Inputs))
}

function prepare({ text, types, values }: Statement) {
  const fills = values.map(fillOf)
  return (db: postgres.ISql, inputs: Inputs, fresh: Map<string, string>) => {
    const filled = fills.map((fill, index) => {
      const value = fill(inputs, fresh)
      // The driver accepts only a boolean for a boolean parameter.
      if (value === 'true' || value === 'false') return value === 'true'
      const type = types[index] ?? 0
      if (type === byteaType && value !== null) return Buffer.from(value.slice(2), 'hex')
      return type === 0 || value === null ? value : sql.typed(value, type)
    })
    return db.unsafe(text, filled as never[], { prepare: true })
  }
}

function widthOf(rows: unknown): number {
  const [row] = rows as object[]
  return row ? Object.keys(row).length : 0
}

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
process.stdout.write('ready\n')
process.on('SIGTERM', () => process.exit(0))
