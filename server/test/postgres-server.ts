import postgres from 'postgres'
import { type TestProject } from 'vitest/node'
import { openDatabase } from '../src/platform/database.ts'
import { migrate } from '../src/platform/migrations.ts'
import { startPostgres } from './postgres.ts'

/** The database with today's schema that test files copy. */
export const migratedTemplate = 'migrated_template'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the run's PostgreSQL server, without a database's name. */
    postgresUrl: string
  }
}

/** One PostgreSQL server for the whole run; every test file makes a database of its own on it. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  const admin = postgres(`${server.url}/postgres`, { max: 1 })
  await admin.unsafe(`create database ${migratedTemplate}`)
  await admin.end()
  const template = await openDatabase({ url: `${server.url}/${migratedTemplate}` })
  await migrate(template.pool)
  await template.close()
  project.provide('postgresUrl', server.url)
  return server.close
}
