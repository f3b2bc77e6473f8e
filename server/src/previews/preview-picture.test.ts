import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import '../platform/media/images.ts'
import { drawCard, pictureSize } from './preview-picture.ts'

const leftPx = 76
const rightPx = 740

/** Returns whether anything is drawn in the margins, which must stay white. */
async function spills(png: Buffer): Promise<boolean> {
  const areas = [
    { left: 0, top: 0, width: leftPx - 12, height: pictureSize.height },
    { left: rightPx, top: 0, width: 776 - rightPx, height: pictureSize.height },
    { left: 0, top: 0, width: rightPx, height: 60 },
    { left: 0, top: 570, width: rightPx, height: 60 },
  ]
  for (const area of areas) {
    const pixels = await sharp(png).removeAlpha().extract(area).raw().toBuffer()
    if (pixels.some((value) => value < 250)) return true
  }
  return false
}

describe('a preview card', () => {
  it('shows its texts', async () => {
    const draw = (title: string, note = '25m remaining') => drawCard({ title, subtitle: 'by ann', note })
    const [tea, again, cake, later] = [
      await draw('Tea'),
      await draw('Tea'),
      await draw('Cake'),
      await draw('Tea', '24m'),
    ]
    expect(again.equals(tea)).toBe(true)
    expect(cake.equals(tea)).toBe(false)
    expect(later.equals(tea)).toBe(false)
  })

  it('renders a name as text and not as markup', async () => {
    const draw = (title: string) => drawCard({ title, subtitle: 'by ann', note: null })
    const [bold, plain] = [await draw('<b>Tea</b>'), await draw('Tea')]
    expect(bold.equals(plain)).toBe(false)
    for (const title of ['<', '&', '</span>', '&amp;', '<span foreground="#fff">']) {
      expect((await sharp(await draw(title)).metadata()).width).toBe(pictureSize.width)
    }
  })

  it('stays within its margins for any texts', async () => {
    const awkward = fc.constantFrom(
      ...['W', 'W'.repeat(10), 'i', ' ', '\u00a0', '\u200b', '\u2800', '\u3164', '\u0301', '\u202e', '\u2067'],
      ...['é', '字', 'カフェ', '😀', '👨‍👩‍👧‍👦', 'שלום', 'مرحبا', '﷽', '𒐫', '\ufffe', '\u{10ffff}', '<', '&', '"'],
    )
    const title = fc
      .array(awkward, { minLength: 1, maxLength: 50, size: 'max' })
      .map((parts) => [...parts.join('')].slice(0, 50).join(''))
    const name = fc.string({ unit: fc.constantFrom('W', 'i', '_', '.', '9'), minLength: 2, maxLength: 30, size: 'max' })
    await fc.assert(
      fc.asyncProperty(title, name, async (title, username) => {
        const png = await drawCard({ title, subtitle: `by ${username}`, note: '23h 59m remaining' })
        expect(await sharp(png).metadata()).toMatchObject(pictureSize)
        expect(await spills(png)).toBe(false)
      }),
      { numRuns: 40 },
    )
  })
})
