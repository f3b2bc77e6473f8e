import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { type TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set for the project that runs on the embedded database: a file from which an empty one begins sooner than from nothing. */
    embeddedTemplate: string | undefined
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'hither-template-'))
  const database = await PGlite.create({ dataDir: 'memory://' })
  const file = join(folder, 'empty.tar')
  await writeFile(file, Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer()))
  await database.close()
  project.provide('embeddedTemplate', file)
  return () => rm(folder, { recursive: true, force: true })
}
