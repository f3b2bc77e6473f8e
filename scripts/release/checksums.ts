import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const checksumsFile = 'SHA256SUMS'

/** `npm run release:checksums -- FOLDER`: writes `SHA256SUMS` with every other file of a folder, as `sha256sum --check` reads it. */
if (import.meta.main) await writeChecksums(process.argv[2] ?? '.')

export async function writeChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== checksumsFile).toSorted()
  const lines = await Promise.all(
    names.map(async (name) => {
      const digest = createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex')
      return `${digest}  ${name}\n`
    }),
  )
  await writeFile(join(folder, checksumsFile), lines.join(''))
}
