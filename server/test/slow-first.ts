import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that run for more than ten seconds, the longest first. They start first, so that no worker is busy with one when the
 * others have finished. Vitest orders files like this itself, but only where the results of an earlier run are stored.
 */
const slowFiles = [
  'test/system/chaos.test.ts',
  'built-in-database/failures.embedded.test.ts',
  'backups/operators.embedded.test.ts',
  'test/system/package.embedded.test.ts',
  'built-in-database/first-start.embedded.test.ts',
  'built-in-database/kills.embedded.test.ts',
  'built-in-database/built-in-database.embedded.test.ts',
  'built-in-database/users.embedded.test.ts',
  'built-in-database/image.embedded.test.ts',
  'backups/backups.test.ts',
  'messages/messages.model.test.ts',
  'test/system/upgrades.test.ts',
  'files/storage-unavailable.test.ts',
  'test/system/server-killed.embedded.test.ts',
  'test/system/lost-replies.embedded.test.ts',
  'test/system/loaded-modules.test.ts',
  'test/system/database-unavailable.test.ts',
  'backups/earlier-archives.embedded.test.ts',
  'db/pool.test.ts',
]

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const slow = slowFiles.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)))
    return [...new Set([...slow, ...sorted])]
  }
}
