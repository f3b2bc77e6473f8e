import { type TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set for the project that runs on a PostgreSQL server: its address, without a database's name. */
    postgresUrl: string | undefined
  }
}

/** One PostgreSQL server for the whole run; every test file makes a database of its own on it. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return server.close
}
