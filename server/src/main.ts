import { cacheCompiledCode } from './ops/compile-cache.ts'
import { findDataDir } from './platform/db/built-in-database/data-dir.ts'

/** The server's entry. Everything else is loaded after the compile cache is on, so that all of it is cached. */
const dataDir = await findDataDir(process.env).catch(() => null)
if (dataDir !== null) cacheCompiledCode(dataDir)
await import('./serve.ts')
