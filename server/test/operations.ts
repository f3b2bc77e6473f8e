import { readdir } from 'node:fs/promises'
import type { Operation } from '@hither/contract/operation.ts'

const folder = new URL('../../contract/src/', import.meta.url)
const modules = await Promise.all(
  (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('runtime'))
    .map(async (file) => (await import(new URL(file, folder).href)) as Record<string, unknown>),
)

/** Every operation of the contract. */
export const operations = modules
  .flatMap((module) => Object.values(module))
  .filter(
    (value): value is Operation => typeof value === 'object' && value !== null && 'address' in value && 'auth' in value,
  )
