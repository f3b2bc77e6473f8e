import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../server/test/data-folder.ts'

/** Creates the data folder that servers of single tests start from. */
export default async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'hither-e2e-template-'))
  await (await openFolder(folder)).close()
  process.env['E2E_TEMPLATE'] = folder
  return () => rm(folder, { recursive: true, force: true })
}
