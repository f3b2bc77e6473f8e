import { readFile } from 'node:fs/promises'

/** The characters for which a font file has glyphs. */
export type Coverage = ReadonlySet<number>

/** Reads the table `cmap` of a TrueType file, in its formats 4 and 12. */
export async function readCoverage(file: string): Promise<Coverage> {
  const bytes = await readFile(file)
  const covered = new Set<number>()
  const start = tableStart(bytes, 'cmap')
  for (let index = 0; index < bytes.readUInt16BE(start + 2); index++) {
    const table = start + bytes.readUInt32BE(start + 4 + index * 8 + 4)
    const format = bytes.readUInt16BE(table)
    if (format === 4) addSegments(bytes, table, covered)
    if (format === 12) addGroups(bytes, table, covered)
  }
  return covered
}

function tableStart(bytes: Buffer, tag: string): number {
  for (let index = 0; index < bytes.readUInt16BE(4); index++) {
    const entry = 12 + index * 16
    if (bytes.toString('latin1', entry, entry + 4) === tag) return bytes.readUInt32BE(entry + 8)
  }
  throw new Error(`The font has no table ${tag}`)
}

/** Four parallel arrays: the ends of segments, their starts, what to add to a character, and where its glyph is stored. */
function addSegments(bytes: Buffer, table: number, covered: Set<number>): void {
  const size = bytes.readUInt16BE(table + 6)
  for (let offset = 0; offset < size; offset += 2) {
    const end = bytes.readUInt16BE(table + 14 + offset)
    const first = table + 16 + size + offset
    const start = bytes.readUInt16BE(first)
    const delta = bytes.readUInt16BE(first + size)
    const range = bytes.readUInt16BE(first + 2 * size)
    for (let character = start; character <= end && character < 0xffff; character++) {
      const stored = range === 0 ? character : bytes.readUInt16BE(first + 2 * size + range + (character - start) * 2)
      // Glyph 0 is the box for missing characters.
      if (stored !== 0 && ((stored + delta) & 0xffff) !== 0) covered.add(character)
    }
  }
}

function addGroups(bytes: Buffer, table: number, covered: Set<number>): void {
  for (let index = 0; index < bytes.readUInt32BE(table + 12); index++) {
    const group = table + 16 + index * 12
    const [start, end, glyph] = [0, 4, 8].map((offset) => bytes.readUInt32BE(group + offset)) as [
      number,
      number,
      number,
    ]
    for (let character = start; character <= end; character++)
      if (glyph + character - start !== 0) covered.add(character)
  }
}
