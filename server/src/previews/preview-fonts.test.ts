import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PingId } from '@hither/contract/ids.ts'
import type { PreviewedPing } from '@hither/contract/pings.ts'
import { type LanguageTag, locales } from '@hither/contract/runtime/locales.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { translatorOf } from '../platform/languages/translator.ts'
import { readCoverage } from './font-coverage.ts'
import { cardOf, productCardOf } from './previews.rules.ts'

const assets = fileURLToPath(new URL('../../assets/previews/', import.meta.url))
const program = fileURLToPath(new URL('../../test/preview-characters.ts', import.meta.url))

let folder: string
let allFonts: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hither-fonts-'))
  const names = (await readdir(assets)).filter((name) => name.endsWith('.ttf'))
  allFonts = names.sort((a, b) => Number(a === latin) - Number(b === latin)).map((name) => join(assets, name))
  await writeFile(join(folder, 'fonts.conf'), `<fontconfig><cachedir>${folder}</cachedir></fontconfig>`)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const latin = 'plus-jakarta-sans-latin.ttf'

interface Drawn {
  drawable: string[]
  drawn: string[]
  pictures: Record<string, string>
}

/** Draws on a system without fonts, as the container image is. */
async function draw(asked: {
  texts?: readonly string[]
  cards?: readonly string[]
  characters?: readonly string[]
  fonts?: readonly string[]
}): Promise<Drawn> {
  const env = { PATH: process.env['PATH'], FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  const all = JSON.stringify({ texts: [], cards: [], characters: [], fonts: [], ...asked })
  const { stdout } = await promisify(execFile)(process.execPath, [program, all], { env, maxBuffer: 1e8 })
  return JSON.parse(stdout) as Drawn
}

const ping: PreviewedPing = {
  ...{ id: '01900000-0000-7000-8000-000000000000' as PingId, name: 'Hither', username: 'ann', display_name: null },
  ...{ status: 'active', activates_at: null, expires_at: '2030-01-02T03:04:00.000Z' },
}

/** All texts of the cards in one language, and the names of the languages themselves. */
function textsOf(language: LanguageTag): string[] {
  const translator = translatorOf(language)
  const product = productCardOf(translator)
  const cards = [1, 25, 125, 3000, 20_000].flatMap((minutes) => {
    const now = new Date(Date.parse(ping.expires_at) - minutes * 60_000)
    const pending = { ...ping, status: 'pending', activates_at: ping.expires_at } as const
    return [cardOf(ping, now, translator), cardOf(pending, now, translator)]
  })
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? ''
  return [...new Set([product, ...cards].flatMap(({ subtitle, note }) => [subtitle, note ?? name]))]
}

it('without fonts of the system, no character of a card in a shipped language is a box, nor one of a name', async () => {
  const texts = locales.flatMap(({ tag }) => textsOf(tag))
  const names = [
    'Кофе на реке, ёлка, Київ',
    'Καφές, Ελλάδα',
    'قهوة عند النهر ٢٥',
    'Tiếng Việt, Łódź, Şişli',
    '☕🦊👍🏽🎉',
  ]
  const wanted = [...texts, ...names]
  const characters = [...new Set(wanted.join(''))].filter(
    (character) => !/[\s\p{Default_Ignorable_Code_Point}]/u.test(character),
  )
  const missing = ['東', 'ไ', 'ש']
  const shown = [...characters, ...missing]
  const cards = locales.map(({ tag }) => textsOf(tag)[1] ?? '')
  const { drawable, drawn, pictures } = await draw({ texts: wanted, cards, characters: shown, fonts: allFonts })
  expect(drawable).toEqual(wanted)
  expect(new Set(drawn).size).toBe(locales.length)
  // A font without a character draws its box, which shows the number of the character.
  const boxes = await draw({ characters: shown, fonts: allFonts.slice(-1) })
  const hasLatin = await readCoverage(allFonts.at(-1) ?? '')
  const isLatin = (character: string) =>
    hasLatin.has(character.codePointAt(0) ?? 0) || /\p{Script=Latin}/u.test(character)
  const others = Object.keys(pictures).filter((character) => !isLatin(character))
  expect(others.length).toBeGreaterThan(50)
  expect(others.filter((character) => pictures[character] === boxes.pictures[character])).toEqual(missing)
})

it('what no font has is left out, as a whole with its accents and joined parts', async () => {
  const pairs = [
    ['東京 Tea ไทย', 'Tea'],
    ['a東b', 'ab'],
    ['か\u0301x', 'x'],
    ['Tea  \u{10ffff} Cake', 'Tea Cake'],
    ['שלום', ''],
    ['\u200b\u2800', ''],
  ] as const
  const { drawable, drawn } = await draw({ texts: pairs.map(([text]) => text), cards: pairs.flat() })
  expect(drawable).toEqual(pairs.map(([, left]) => left))
  for (const [index, [text]] of pairs.entries()) expect(drawn[index * 2], text).toBe(drawn[index * 2 + 1])
})
