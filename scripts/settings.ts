import { readFile, writeFile } from 'node:fs/promises'
import { renamedSettings, settings } from '../server/src/config/settings.ts'
import { readConfig } from '../server/src/config.ts'
import { root } from './run.ts'
import { compareWithReader, settingsFiles } from './settings-files.ts'

/**
 * `npm run settings`: writes the list of settings into the files that show it. With `--check` it writes nothing and fails if one
 * of them is outdated, or if the server reads other settings than the list has.
 */
const isCheck = process.argv.includes('--check')
const problems: string[] = []

for (const { path, write } of settingsFiles) {
  const present = await readFile(root + path, 'utf8').catch(() => '')
  const text = write(present, settings)
  if (text === present) continue
  if (isCheck) problems.push(`${path} is outdated: run npm run settings.`)
  else await writeFile(root + path, text)
}
const { unlisted, unread } = compareWithReader(
  readConfig,
  settings,
  renamedSettings.map(([oldName]) => oldName),
)
problems.push(...unlisted.map((name) => `The server reads ${name}, which is not in server/src/config/settings.ts.`))
problems.push(...unread.map((name) => `The server does not read ${name} of server/src/config/settings.ts.`))
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
