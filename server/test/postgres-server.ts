import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/db/migrations.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { startPostgres } from './postgres.ts'

/** The template database with the current schema. Test files copy it. */
export const migratedTemplate = 'migrated_template'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the run's PostgreSQL server, without a database name. */
    postgresUrl: string
  }
}

/** Starts one PostgreSQL server for the whole run. Every test file creates its own database on it. */
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
