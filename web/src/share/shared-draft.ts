import { pingLimits } from '@hither/contract/runtime/pings.ts'
import type { Place } from '../map/map-defaults.ts'
import type { PingDraft } from '../pings/create/ping-draft.ts'
import { pingImageError } from '../pings/pictures/use-chosen-image.ts'
import type { Shared } from '../service-worker/shared.ts'
import { parsePlace } from './parse-place.ts'

/** Returns the draft of a new pin for shared content: its image, its location and its texts. */
export function draftFromShared({ title, text, url, picture }: Shared): { draft: PingDraft; place: Place | null } {
  const content = [text, url].filter((part) => part.trim() !== '').join('\n')
  const found = parsePlace(content) ?? parsePlace(title)
  const message = found === null ? content : content.replace(found.words, '')
  const name = found?.words === title.trim() ? '' : title
  const draft: PingDraft = {
    form: {
      name: cut(name.replaceAll(/\s+/g, ' ').trim(), pingLimits.nameMax),
      message: cut(message.trim(), pingLimits.messageMax),
    },
    image: picture?.file ?? null,
    imageErrorText: picture === null ? null : pingImageError(picture),
    replaces: null,
  }
  return { draft, place: found?.place ?? null }
}

/** Cuts by code points, like the length check. */
function cut(text: string, max: number): string {
  return [...text].slice(0, max).join('')
}
