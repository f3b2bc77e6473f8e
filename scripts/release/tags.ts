import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isNewer } from '../../server/src/updates/update-file.ts'
import { root } from '../run.ts'

/** `npm run release:tags -- TAG`: prints the tags of the image of a release, one a line, given the tags of the repository. */
if (import.meta.main) {
  const { stdout } = await promisify(execFile)('git', ['tag', '--list', 'v*'], { cwd: root })
  process.stdout.write(`${imageTags(process.argv[2] ?? '', stdout.split('\n')).join('\n')}\n`)
}

/** Returns the version, and `1.2`, `1` and `latest` as far as no newer release of the same line exists. */
export function imageTags(tag: string, others: readonly string[]): string[] {
  const own = versionOf(tag)
  if (own === null) throw new Error(`${tag} is no tag of a release, such as v1.2.3.`)
  const newer = others.map(versionOf).filter((version) => version !== null && isNewer(version, own))
  const [major, minor] = own.split('.')
  const lines = [`${major}.${minor}`, `${major}`]
  const newest = lines.filter((line) => !newer.some((version) => version?.startsWith(`${line}.`)))
  return [own, ...newest, ...(newer.length === 0 ? ['latest'] : [])]
}

/** The version in the tag of a release; `null` for another tag. */
function versionOf(tag: string): string | null {
  return /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1] ?? null
}
