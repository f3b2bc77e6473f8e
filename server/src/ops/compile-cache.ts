import { existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Lets Node store compiled code in the folder `cache` of the data folder when the process ends, so that the next start is faster.
 * Only modules that are loaded after this call profit. A data folder that does not exist yet is not created. The cache may be
 * deleted at any time, and no failure is reported: without it the server only starts slower.
 */
export function cacheCompiledCode(dataDir: string): void {
  const folder = join(dataDir, 'cache')
  try {
    if (!existsSync(dataDir)) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    enableCompileCache(folder)
  } catch {
    // For instance a file system that cannot be written to.
  }
}
