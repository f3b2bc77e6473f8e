import { readFile } from 'node:fs/promises'
import { root } from '../run.ts'
import { sectionOfRelease } from './changelog.ts'

/** `npm run release:check -- TAG`: fails if the tag, `package.json` and the changelog do not name one version. */
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string }
try {
  sectionOfRelease(process.argv[2] ?? '', version, await readFile(`${root}CHANGELOG.md`, 'utf8'))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
