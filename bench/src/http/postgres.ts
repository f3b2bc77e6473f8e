import { readdir, readFile } from 'node:fs/promises'
import { migrate } from '../../../server/src/platform/db/migrations.ts'
import { type Database, openDatabase } from '../../../server/src/platform/db/open-database.ts'
import { startPostgres } from '../../../server/test/postgres.ts'
import { loadDataSet } from '../data-set.ts'

/** A PostgreSQL server for measurements. */
export interface MeasuredPostgres {
  /** Creates an empty database. */
  create(name: string): Promise<Database & { url: string }>
  /** Creates a database with the schema of the product and the common data set at this scale. */
  load(name: string, scale: number): Promise<Database & { url: string }>
  /** The CPU time of all its processes so far, including ended ones. */
  cpuMicroseconds(): Promise<number>
  stop(): Promise<void>
}

export async function startMeasuredPostgres(): Promise<MeasuredPostgres> {
  const server = await startPostgres()
  // Loading the data set disables foreign-key checks, which by default requires a superuser.
  const superuser = await openDatabase({ url: `${server.url.replace('hither@', 'postgres@')}/postgres` })
  await superuser.pool`grant set on parameter session_replication_role to hither`
  await superuser.close()
  const admin = await openDatabase({ url: `${server.url}/postgres` })
  const create: MeasuredPostgres['create'] = async (name) => {
    await admin.pool.unsafe(`create database ${name}`)
    const url = `${server.url}/${name}`
    return { ...(await openDatabase({ url })), url }
  }
  return {
    create,
    async load(name, scale) {
      const database = await create(name)
      await migrate(database.pool)
      await loadDataSet(database.pool, scale)
      return database
    },
    cpuMicroseconds: () => cpuOfPostgres(server.pid()),
    async stop() {
      await admin.close()
      await server.close()
    },
  }
}

/** The CPU time in microseconds of all processes of a PostgreSQL server so far, including ended ones. */
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

/** Reads fields 4 and 14 to 17 of proc_pid_stat(5). Times are in ticks of 10 ms. */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = (...places: number[]) => places.reduce((sum, place) => sum + (fields[place] ?? 0) * 10_000, 0)
  return { parent: fields[1] ?? 0, micros: ticks(11, 12), endedMicros: ticks(13, 14) }
}
