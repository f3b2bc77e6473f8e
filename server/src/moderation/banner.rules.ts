import type { NewBanner } from '@hither/contract/banner.ts'
import { bannerLimits } from '@hither/contract/runtime/banner.ts'
import { isName } from '@hither/contract/runtime/texts.ts'
import { readInstant } from '@hither/contract/values.ts'
import { fieldError, InvalidInput } from '../platform/errors/refusal.ts'

const dayMs = 86_400_000

/** Returns the text without spaces around it, and its end. Throws all errors at once. */
export function readBanner({ text: typed, ends_at }: NewBanner, now: Date): { text: string; endsAt: Date } {
  const text = typed.trim()
  const endsAt = readInstant(ends_at)
  const aheadMs = endsAt === null ? 0 : endsAt.getTime() - now.getTime()
  const isTextValid = [...text].length <= bannerLimits.textMax && isName(text)
  const isEndValid = aheadMs > 0 && aheadMs <= bannerLimits.daysMax * dayMs
  if (endsAt !== null && isTextValid && isEndValid) return { text, endsAt }
  throw new InvalidInput(
    ...(isTextValid ? [] : [fieldError('body', 'text')('banner_text_invalid')]),
    ...(isEndValid ? [] : [fieldError('body', 'ends_at')('banner_end_invalid')]),
  )
}
