import { existsSync } from 'node:fs'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'

/** The link with which the first admin signs up. */
export interface AdminLink {
  readonly url: string
  /** The link that other devices can open, for a QR code; `null`: none is known. */
  readonly scannableUrl: string | null
}

type Address = Pick<Config, 'publicUrl' | 'hasPublicUrl' | 'host' | 'port'>

interface Machine {
  readonly isContainer: boolean
  readonly interfaces: Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>
}

/** The code is in the fragment, which no browser sends to a server. */
export function adminLinkOf(config: Address, code: string, machine: Machine = thisMachine()): AdminLink {
  const linkAt = (base: string) => `${base}/admin#code=${code}`
  const base = baseForOthers(config, machine)
  return { url: linkAt(config.publicUrl), scannableUrl: base === null ? null : linkAt(base) }
}

/** The address under which other devices reach this server, as far as its settings tell. */
function baseForOthers({ publicUrl, hasPublicUrl, host, port }: Address, machine: Machine): string | null {
  if (hasPublicUrl) return isThisMachine(new URL(publicUrl).hostname) ? null : publicUrl
  // A container sees its own network only.
  if (machine.isContainer || !['0.0.0.0', '::'].includes(host)) return null
  const address = localAddress(machine)
  return address === undefined ? null : `http://${address}:${port}`
}

function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}

/** The IPv4 address in the local network. Bridges of containers are no way to this machine. */
function localAddress({ interfaces }: Machine): string | undefined {
  return Object.entries(interfaces)
    .filter(([name]) => !/^(?:docker|br-|veth|virbr|podman)/.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .find(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))?.address
}

function thisMachine(): Machine {
  const marks = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io']
  return { isContainer: marks.some((path) => existsSync(path)), interfaces: networkInterfaces() }
}

/** The lines for the terminal. With colors, a QR code is dark on light on every terminal. */
export async function adminLinkLines({ url, scannableUrl }: AdminLink, output: { isTTY?: boolean }): Promise<string> {
  const code = scannableUrl === null ? null : await drawQrCode(scannableUrl, output.isTTY === true)
  const below =
    code ??
    (scannableUrl === null
      ? '    Phones need another address than localhost. docs/install.md shows four ways to HTTPS.\n'
      : null)
  return `
    This server has no admin yet. ${code === null ? 'Open' : 'Scan this code, or open'}
    ${url}
    and sign up. The link works once, for one day. Don't share it.
${below === null ? '' : `\n${below}`}`
}

/** A narrow terminal or log would break wider lines. */
const columnsMax = 45
/** The margins beyond the one module of the library: the standard asks for four in all, and scanners do with two. */
const margins = [3, 2, 1]

/** Two modules in one character. `null` if the text needs a wider code. */
async function drawQrCode(text: string, hasColors: boolean): Promise<string | null> {
  const { encodeQR } = await import('qr')
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: 1 })
  const margin = margins.find((most) => modules.length + 2 * most <= columnsMax)
  if (margin === undefined) return null
  const isDark = (row: number, column: number) => modules[row - margin]?.[column - margin] === true
  const size = modules.length + 2 * margin
  const lines: string[] = []
  for (let row = 0; row < size; row += 2) {
    // Without colors, a terminal is taken to be light on dark: the light modules are drawn.
    const line = Array.from({ length: size }, (_, column) => {
      const isLightAbove = !isDark(row, column)
      const isLightBelow = row + 1 < size && !isDark(row + 1, column)
      return halves[`${isLightAbove}-${isLightBelow}`]
    }).join('')
    lines.push(hasColors ? `\u001b[97;40m${line}\u001b[0m` : line)
  }
  return lines.map((line) => `    ${line}\n`).join('')
}

const halves = { 'true-true': '█', 'true-false': '▀', 'false-true': '▄', 'false-false': ' ' } as const
