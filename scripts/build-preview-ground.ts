import { readFile, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { root } from './run.ts'

/** Renders the background of link previews, `server/assets/previews/ground.png`, from the SVG in the same folder. */
const folder = `${root}server/assets/previews/`
const svg = await readFile(`${folder}ground.svg`)
await writeFile(
  `${folder}ground.png`,
  await sharp(svg).png({ compressionLevel: 9, palette: true, effort: 10 }).toBuffer(),
)
