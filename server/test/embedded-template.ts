import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { type TestProject } from 'vitest/node'
import { openDatabase } from '../src/platform/database.ts'
import { migrate } from '../src/platform/migrations.ts'

/** From which an embedded database begins sooner than from nothing: dumps, and the folder of the one with its schema, to be copied. */
export interface EmbeddedTemplates {
  readonly empty: string
  readonly migrated: string
  readonly folder: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set for the project that runs on the embedded database. */
    embeddedTemplates: EmbeddedTemplates | undefined
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'hither-template-'))
  const data = join(folder, 'data')
  const templates: EmbeddedTemplates = {
    empty: join(folder, 'empty.tar'),
    migrated: join(folder, 'migrated.tar'),
    folder: data,
  }
  await dump(data, templates.empty)
  const database = await openDatabase({ folder: data })
  await migrate(database.pool)
  await database.close()
  await dump(data, templates.migrated)
  project.provide('embeddedTemplates', templates)
  return () => rm(folder, { recursive: true, force: true })
}

async function dump(dataDir: string, file: string): Promise<void> {
  const database = await PGlite.create({ dataDir })
  await writeFile(file, Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer()))
  await database.close()
}
