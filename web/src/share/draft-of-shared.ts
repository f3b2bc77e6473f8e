import { pingLimits } from '@hither/contract/pings.ts'
import { type Place } from '../map/map-defaults.ts'
import { type PingDraft } from '../pings/ping-draft.ts'
import { faultOfPingImage } from '../pings/use-chosen-image.ts'
import { placeIn } from './place-in.ts'
import { type Shared } from './shared.ts'

/** The new pin that was meant: its picture, its place, and what was written with them. */
export function draftOfShared({ title, text, url, picture }: Shared): { draft: PingDraft; place: Place | null } {
  const said = [text, url].filter((part) => part.trim() !== '').join('\n')
  const found = placeIn(said) ?? placeIn(title)
  const message = found === null ? said : said.replace(found.words, '')
  const name = found?.words === title.trim() ? '' : title
  const draft: PingDraft = {
    form: {
      name: cut(name.replaceAll(/\s+/g, ' ').trim(), pingLimits.nameMax),
      message: cut(message.trim(), pingLimits.messageMax),
    },
    image: picture?.file ?? null,
    imageFault: picture === null ? null : faultOfPingImage(picture),
    replaces: null,
  }
  return { draft, place: found?.place ?? null }
}

/** In code points, as its length is judged. */
function cut(text: string, max: number): string {
  return [...text].slice(0, max).join('')
}
