export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Browsers offer SHA-256 only on https pages and on localhost. A server in a home network may have neither. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>
  return subtle === undefined ? sha256OfBlock(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes))
}

const primes = firstPrimes(64)
/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = primes.map((prime) => fraction(Math.cbrt(prime)))
/** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

/** SHA-256 (FIPS 180-4) of at most 55 bytes, which fit into one block with their length. */
export function sha256OfBlock(bytes: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(bytes)
  block[bytes.length] = 0x80
  const view = new DataView(block.buffer)
  view.setUint32(60, bytes.length * 8)

  const words = Array.from({ length: 16 }, (_, index) => view.getUint32(index * 4))
  const word = (index: number) => words[index] ?? 0
  for (let t = 16; t < 64; t++) {
    const [a, b] = [word(t - 15), word(t - 2)]
    const small0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const small1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    words.push((word(t - 16) + small0 + word(t - 7) + small1) >>> 0)
  }

  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = initial
  for (const [t, constant] of constants.entries()) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + big1 + ((e & f) ^ (~e & g)) + constant + word(t)) >>> 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0]
  }

  const hash = new DataView(new ArrayBuffer(32))
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries())
    hash.setUint32(index * 4, (value + (initial[index] ?? 0)) >>> 0)
  return new Uint8Array(hash.buffer)
}

function rotate(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}

function fraction(value: number): number {
  return Math.floor((value % 1) * 2 ** 32)
}

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}
