import { cacheCompiledCode } from './platform/compile-cache.ts'

/** The server's entry. Everything else is loaded after the cache of compiled code is on, so that all of it profits. */
cacheCompiledCode(process.env['DATA_DIR'] || 'data')
await import('./serve.ts')
