import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../run.ts'
import { sectionOfRelease } from './changelog.ts'
import { imageOf } from './image.ts'

/** `npm run release:notes -- --tag TAG --image NAME@DIGEST FOLDER`: prints the notes of the release whose files a folder has. */
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { tag: { type: 'string' }, image: { type: 'string' } },
    allowPositionals: true,
  })
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string }
  const section = sectionOfRelease(values.tag ?? '', version, await readFile(`${root}CHANGELOG.md`, 'utf8'))
  const checksums = await readFile(join(positionals[0] ?? '.', 'SHA256SUMS'), 'utf8')
  process.stdout.write(notesOf(section, imageOf(values.image).reference, checksums))
}

export function notesOf(section: string, image: string, checksums: string): string {
  return `${section}

## Run it

\`\`\`sh
docker run --detach --name hither --publish 3000:3000 --volume hither:/data ${image}
\`\`\`

\`compose.yaml\` runs the same image, with HTTPS if you like.

## Checksums

\`sha256sum --check SHA256SUMS\` compares the downloaded files with this list:

\`\`\`
${checksums.trim()}
\`\`\`
`
}
