import { cp, mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { writeChecksums } from '../../../scripts/release/checksums.ts'
import { buildPackages, run } from './setup.ts'

const { packages } = inject('parts')
const repository = fileURLToPath(new URL('../../../', import.meta.url))

let folder: string
/** A second checkout with the same files. */
let sources: string
let sourceDate: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-reproducible-'))
  sources = join(folder, 'another checkout')
  const list = await run('git', ['-C', repository, 'ls-files', '--cached', '--others', '--exclude-standard', '-z'])
  for (const path of list.split('\0').filter((name) => name !== '')) {
    await mkdir(join(sources, dirname(path)), { recursive: true })
    // A file that was deleted and is still listed.
    await cp(join(repository, path), join(sources, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  const folders = (await readdir(repository)).map((name) => join(name, 'node_modules'))
  for (const path of ['node_modules', ...folders])
    await run('sh', [
      '-c',
      'if [ -d "$0" ]; then cp --archive --link "$0" "$1"; fi',
      join(repository, path),
      join(sources, path),
    ])
  sourceDate = (await run('git', ['-C', repository, 'log', '-1', '--format=%ct'])).trim()
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('package and archive', () => {
  it('have the same bytes if they are built in another folder, time zone and with another umask', async () => {
    const again = join(folder, 'again')
    await buildPackages(sources, again, { SOURCE_DATE_EPOCH: sourceDate, TZ: 'Asia/Kathmandu' }, '077')
    expect((await readdir(again)).toSorted()).toEqual([
      expect.stringMatching(/^hither-.*-linux-.*\.tar\.gz$/),
      expect.stringMatching(/^hither_.*\.deb$/),
    ])
    const sums = (place: string) => run('sh', ['-euc', 'cd "$0"; sha256sum -- *', place])
    expect(await sums(again)).toBe(await sums(packages))

    await writeChecksums(again)
    const checked = await run('sh', ['-euc', 'cd "$0"; sha256sum --check SHA256SUMS', again])
    expect(checked.match(/: OK$/gm)).toHaveLength(2)
  })

  it('are not built with another Node', async () => {
    const node = join(sources, 'node_modules/node/bin/node')
    await unlink(node)
    await writeFile(node, 'another')
    const target = join(folder, 'none')
    await expect(buildPackages(sources, target, { SOURCE_DATE_EPOCH: sourceDate })).rejects.toThrow(
      'node_modules/node/bin/node is not the Node whose SHA-256 is in scripts/packages/libraries.ts.',
    )
    expect(await readdir(target)).toEqual([])
  })
})
