import { spawnSync } from 'node:child_process'

/** The programs that the tests of image and packages need, and the Debian packages that have them. */
const programs = [
  ['buildah', 'buildah'],
  ['debootstrap', 'debootstrap'],
  ['dpkg-shlibdeps', 'dpkg-dev'],
  ['lintian', 'lintian'],
  ['caddy', 'caddy'],
] as const

/** Why image and packages cannot be tested here, or `null`. */
export function missingRequirement(
  isRoot = process.geteuid?.() === 0,
  isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined,
): string | null {
  if (!isRoot) return 'it needs root, to run programs in a Debian root of their own'
  const missing = programs.filter(([program]) => !isInstalled(program))
  if (missing.length === 0) return null
  const names = missing.map(([program]) => program).join(', ')
  return `${names} ${missing.length > 1 ? 'are' : 'is'} missing (on Debian: apt-get install ${missing.map(([, name]) => name).join(' ')})`
}
