import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a certificate for these host names that is valid for two days and signed by itself. Both texts are PEM. */
export function makeCertificate(...hosts: readonly string[]): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hither-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`
  const subject = ['-subj', `/CN=${hosts[0]}`, '-addext', names]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const options = { stdio: 'ignore' } as const
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...subject], options)
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}
