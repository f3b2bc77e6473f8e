import { readdir, readFile } from 'node:fs/promises'
import { type Database, openDatabase } from '../../../server/src/platform/database.ts'
import { migrate } from '../../../server/src/platform/migrations.ts'
import { startPostgres } from '../../../server/test/postgres.ts'
import { loadDataSet } from '../data-set.ts'

/** A PostgreSQL server of the bench's own. */
export interface MeasuredPostgres {
  /** A new database with the product's schema and so much of the common data set. */
  load(name: string, scale: number): Promise<Database & { url: string }>
  /** Processor time of all its processes so far, ended ones too. */
  cpuMicroseconds(): Promise<number>
  stop(): Promise<void>
}

export async function startMeasuredPostgres(): Promise<MeasuredPostgres> {
  const server = await startPostgres()
  // The data set is loaded without a look-up for each reference, which otherwise only a superuser may do.
  const superuser = await openDatabase({ url: `${server.url.replace('hither@', 'postgres@')}/postgres` })
  await superuser.pool`grant set on parameter session_replication_role to hither`
  await superuser.close()
  const admin = await openDatabase({ url: `${server.url}/postgres` })
  return {
    async load(name, scale) {
      await admin.pool.unsafe(`create database ${name}`)
      const url = `${server.url}/${name}`
      const database = await openDatabase({ url })
      await migrate(database.pool)
      await loadDataSet(database.pool, scale)
      return { ...database, url }
    },
    cpuMicroseconds: () => cpuOfPostgres(server.pid()),
    async stop() {
      await admin.close()
      await server.close()
    },
  }
}

/** Processor time of all processes of a PostgreSQL server so far, ended ones too, by the id of their parent. */
export async function cpuOfPostgres(postmaster: number): Promise<number> {
  const own = await statOf(postmaster)
  const children = await childrenOf(postmaster)
  return own.micros + own.endedMicros + children.reduce((sum, { micros }) => sum + micros, 0)
}

async function childrenOf(parent: number) {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(ids.map((id) => statOf(Number(id)).catch(() => null)))
  return all.filter((one) => one !== null && one.parent === parent) as Awaited<ReturnType<typeof statOf>>[]
}

/** proc_pid_stat(5): fields 4 and 14 to 17, times in ticks of which there are a hundred a second. */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = (...places: number[]) => places.reduce((sum, place) => sum + (fields[place] ?? 0) * 10_000, 0)
  return { parent: fields[1] ?? 0, micros: ticks(11, 12), endedMicros: ticks(13, 14) }
}
