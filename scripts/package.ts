import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readSourceDate, writeTarGz } from './packages/bytes.ts'
import { copyFiles, documents, manifests, serverFiles } from './packages/contents.ts'
import { writeDebianPackage } from './packages/debian.ts'
import { addLibraries, addNode } from './packages/libraries.ts'
import { root } from './run.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm run package [-- FOLDER]` writes `hither-VERSION.tar.gz` with everything that a server needs except Node and the libraries.
 * `npm run package:linux` writes `hither-VERSION-linux-ARCH.tar.gz` and `npm run package:deb` writes `hither_VERSION_ARCH.deb`,
 * which have both, for this machine's architecture. None contains the sources of the web app or tests. Built twice from one
 * commit, they have the same bytes.
 */
const { values, positionals } = parseArgs({
  options: { deb: { type: 'boolean' }, linux: { type: 'boolean' } },
  allowPositionals: true,
})
const target = resolve(positionals[0] ?? '.')
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string }
const hasLibraries = values.deb === true || values.linux === true
const name = hasLibraries ? `hither-${version}-linux-${process.arch}` : `hither-${version}`

const staging = await mkdtemp(join(tmpdir(), 'hither-package-'))
const folder = join(staging, name)
const written: string[] = []
try {
  await mkdir(target, { recursive: true })
  if (hasLibraries) await addNode(folder)
  const sourceDate = await readSourceDate()
  await buildWebIfStale()
  await copyFiles(serverFiles, folder)
  if (hasLibraries) {
    await addLibraries(folder)
    await cp(`${root}deploy/hither`, join(folder, 'hither'))
  }
  if (values.deb) written.push(await writeDebianPackage({ folder, version, sourceDate, target }))
  if (values.linux || !hasLibraries) {
    await copyFiles(documents, folder)
    if (!hasLibraries) await copyFiles([...manifests, 'deploy/hither.service'], folder)
    written.push(join(target, `${name}.tar.gz`))
    await writeTarGz(join(target, `${name}.tar.gz`), staging, name, sourceDate)
  }
  process.stdout.write(`\n${written.map((file) => `  ${basename(file)} is in ${target}\n`).join('')}\n`)
} finally {
  await rm(staging, { recursive: true, force: true })
}
