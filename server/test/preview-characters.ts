import { createHash } from 'node:crypto'
import { loadSharp } from '../src/platform/media/sharp.ts'
import { drawableOf, drawCard } from '../src/previews/preview-picture.ts'

/**
 * A program for the test of preview cards, which decides by `FONTCONFIG_FILE` what fonts the system has. It prints what can
 * be drawn of each of `texts`, and hashes of the pictures of `cards` and of `characters`, which have `fonts` alone.
 */
const { texts, cards, characters, fonts } = JSON.parse(process.argv[2] ?? '') as Record<
  'texts' | 'cards' | 'characters' | 'fonts',
  string[]
>
const sharp = await loadSharp()
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function picture(text: string, fontfile: string | undefined): Promise<string> {
  const font = 'Plus Jakarta Sans Bold 40'
  return hashOf(
    await sharp({ text: { text, font, dpi: 72, ...(fontfile && { fontfile }) } })
      .png()
      .toBuffer(),
  )
}

const drawable: string[] = []
for (const text of texts) drawable.push(await drawableOf(text))
const drawn: string[] = []
for (const title of cards) drawn.push(hashOf(await drawCard({ title, subtitle: title, note: title })))
for (const font of fonts) await picture('a', font)
const pictures: Record<string, string> = {}
for (const character of characters) pictures[character] = await picture(character, fonts.at(-1))
process.stdout.write(JSON.stringify({ drawable, drawn, pictures }))
