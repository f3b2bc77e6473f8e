import type { NetworkInterfaceInfo } from 'node:os'
import decodeQR from 'qr/decode.js'
import { describe, expect, it } from 'vitest'
import { adminLinkLines, adminLinkOf } from './admin-link.ts'

const code = 'K7QX-M2RA-9TBC-W4DF-H8JN'
const lan = { family: 'IPv4', internal: false, address: '192.168.1.20' } as NetworkInterfaceInfo
const loopback = { family: 'IPv4', internal: true, address: '127.0.0.1' } as NetworkInterfaceInfo
const bridge = { family: 'IPv4', internal: false, address: '172.17.0.1' } as NetworkInterfaceInfo
const machine = { isContainer: false, interfaces: { docker0: [bridge], lo: [loopback], eth0: [lan] } }
const unset = { publicUrl: 'http://localhost:3000', hasPublicUrl: false, host: '127.0.0.1', port: 3000 }
const named = (publicUrl: string) => ({ ...unset, publicUrl, hasPublicUrl: true })

describe('the link that other devices can open', () => {
  it.each([
    ['a public address', named('https://hither.example.org'), machine, 'https://hither.example.org'],
    ['an address in the local network', named('http://192.168.1.20:3000'), machine, 'http://192.168.1.20:3000'],
    ['localhost', named('http://localhost:3000'), { ...machine }, null],
    ['a loopback address', named('http://127.0.0.1:3000'), machine, null],
    ['no address and a closed host', unset, machine, null],
    ['no address and an open host', { ...unset, host: '0.0.0.0' }, machine, 'http://192.168.1.20:3000'],
    ['localhost and an open host', { ...named('http://localhost:3000'), host: '0.0.0.0' }, machine, null],
    ['an open host in a container', { ...unset, host: '0.0.0.0' }, { ...machine, isContainer: true }, null],
    ['no network', { ...unset, host: '::' }, { isContainer: false, interfaces: { lo: [loopback] } }, null],
  ])('with %s', (_, config, on, base) => {
    expect(adminLinkOf(config, code, on)).toEqual({
      url: `${config.publicUrl}/admin#code=${code}`,
      scannableUrl: base === null ? null : `${base}/admin#code=${code}`,
    })
  })
})

describe('the printed lines', () => {
  const link = adminLinkOf(named('https://hither.example.org'), code)

  it('have the link and a QR code of it, in at most 45 columns and without colors in a log', async () => {
    const lines = await adminLinkLines(link, { isTTY: false })
    expect(
      lines.startsWith(`
    This server has no admin yet. Scan this code, or open
    https://hither.example.org/admin#code=K7QX-M2RA-9TBC-W4DF-H8JN
    and sign up. The link works once, for one day. Don't share it.

`),
    ).toBe(true)
    expect(lines).not.toContain('\u001b')
    expect(codeRows(lines).every((row) => row.length <= 45)).toBe(true)
    expect(textOf(codeRows(lines))).toBe(link.url)
  })

  it('have colors on a terminal, so that the code is dark on light everywhere', async () => {
    const lines = await adminLinkLines(link, { isTTY: true })
    const colored = lines.split('\n').filter((line) => line.includes('\u001b'))
    expect(colored.length).toBeGreaterThan(10)
    for (const line of colored) {
      expect(line.startsWith('    \u001b[97;40m')).toBe(true)
      expect(line.endsWith('\u001b[0m')).toBe(true)
    }
    expect(textOf(codeRows(lines))).toBe(link.url)
  })

  it.each([60, 90])('have a code of an address with %i characters that can be scanned', async (length) => {
    const base = `https://${'a'.repeat(length - 'https://.example.org'.length)}.example.org`
    const long = adminLinkOf(named(base), code)
    const rows = codeRows(await adminLinkLines(long, {}))
    expect(rows[0]?.length).toBeLessThanOrEqual(45)
    expect(textOf(rows)).toBe(long.url)
  })

  it('have no code if it would be wider', async () => {
    const long = adminLinkOf(named(`https://${'a'.repeat(150)}.example.org`), code)
    expect(await adminLinkLines(long, {})).toBe(`
    This server has no admin yet. Open
    ${long.url}
    and sign up. The link works once, for one day. Don't share it.
`)
  })

  it('say without a code what phones need', async () => {
    expect(await adminLinkLines(adminLinkOf(unset, code, machine), { isTTY: true })).toBe(`
    This server has no admin yet. Open
    http://localhost:3000/admin#code=K7QX-M2RA-9TBC-W4DF-H8JN
    and sign up. The link works once, for one day. Don't share it.

    Phones need another address than localhost. docs/install.md shows four ways to HTTPS.
`)
  })
})

function codeRows(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.slice(4).replace('\u001b[97;40m', '').replace('\u001b[0m', ''))
    .filter((line) => line.length > 20 && /^[█▀▄ ]+$/.test(line))
}

/** Scans the rows as a camera sees them on a dark screen: drawn blocks are light. */
function textOf(rows: readonly string[]): string {
  const scale = 4
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * 2 * scale]
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sign = rows[Math.floor(y / scale / 2)]?.[Math.floor(x / scale)] ?? ' '
      const isLight = (Math.floor(y / scale) % 2 === 0 ? '█▀' : '█▄').includes(sign)
      data.fill(isLight ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3)
      data[(y * width + x) * 4 + 3] = 255
    }
  return decodeQR({ data, width, height })
}
