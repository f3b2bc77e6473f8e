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
export function missingRequirement(): string | null {
  if (process.geteuid?.() !== 0) return 'it needs root, to run programs in a Debian root of their own'
  const missing = programs.filter(([program]) => spawnSync(program, ['--version']).error !== undefined)
  if (missing.length === 0) return null
  const names = missing.map(([program]) => program).join(', ')
  return `${names} ${missing.length > 1 ? 'are' : 'is'} missing (on Debian: apt-get install ${missing.map(([, name]) => name).join(' ')})`
}
