import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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
  const newer = others.flatMap((other) => {
    const version = versionOf(other)
    return version !== null && isNewer(version, own) ? [version] : []
  })
  const [major, minor] = own
  const tags = [own.join('.')]
  if (!newer.some((version) => version[0] === major && version[1] === minor)) tags.push(`${major}.${minor}`)
  if (!newer.some((version) => version[0] === major)) tags.push(String(major))
  if (newer.length === 0) tags.push('latest')
  return tags
}

type Version = readonly [number, number, number]

function versionOf(tag: string): Version | null {
  const [, major, minor, patch] = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag) ?? []
  return patch === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

function isNewer(one: Version, other: Version): boolean {
  const place = one.findIndex((part, index) => part !== other[index])
  return place !== -1 && (one[place] ?? 0) > (other[place] ?? 0)
}
