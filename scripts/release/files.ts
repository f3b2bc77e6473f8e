import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'
import { root } from '../run.ts'
import { sectionOfRelease } from './changelog.ts'
import { imageOf } from './image.ts'

/**
 * `npm run release:files -- --tag TAG --image NAME@DIGEST FOLDER`: writes `compose.yaml`, which names the image and builds
 * nothing, and `latest.json`, which names the version.
 */
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { tag: { type: 'string' }, image: { type: 'string' } },
    allowPositionals: true,
  })
  const [folder = '.'] = positionals
  const { reference, source } = imageOf(values.image)
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string }
  sectionOfRelease(values.tag ?? '', version, await readFile(`${root}CHANGELOG.md`, 'utf8'))
  const notesUrl = `${source}/releases/tag/v${version}`
  await mkdir(folder, { recursive: true })
  const compose = composeOfRelease(await readFile(`${root}deploy/compose.yaml`, 'utf8'), reference)
  await writeFile(join(folder, 'compose.yaml'), compose)
  await writeFile(join(folder, 'latest.json'), `${JSON.stringify({ version, notes_url: notesUrl })}\n`)
}

/** The compose file with the image of a release instead of the build. */
export function composeOfRelease(text: string, image: string): string {
  const compose = parseDocument(text.replaceAll(' --build', '').replaceAll('--file deploy/compose.yaml', ''))
  if (!compose.hasIn(['services', 'hither', 'build']))
    throw new Error('The compose file has no service hither to build.')
  compose.deleteIn(['services', 'hither', 'build'])
  compose.setIn(['services', 'hither', 'image'], image)
  return compose.toString({ lineWidth: 0 })
}
