import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { startBuiltInDatabase } from '../server/src/platform/db/built-in-database/built-in-database.ts'
import { packDatabaseFolder, packedFolder } from '../server/src/platform/db/built-in-database/database-folder.ts'

/**
 * `node scripts/pack-database.ts [FILE]`: packs an empty database folder that the first start of a container unpacks. Part of the
 * build of the image, where it also creates the library links of the PostgreSQL programs.
 */
const file = process.argv[2] === undefined ? packedFolder : resolve(process.argv[2])
const dataDir = await mkdtemp(join(tmpdir(), 'hither-packed-'))
try {
  // The database user of root passes through.
  await chmod(dataDir, 0o711)
  // It has to be made by `initdb`, also if there is a packed folder already.
  const database = await startBuiltInDatabase({ dataDir, log: pino({ level: 'silent' }), packed: '' })
  await database.close()
  await packDatabaseFolder(dataDir, file)
  await chmod(file, 0o644)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
