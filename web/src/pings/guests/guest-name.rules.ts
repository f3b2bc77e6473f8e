import { guestLimits } from '@hither/contract/runtime/guests.ts'
import { isPersonName } from '@hither/contract/runtime/texts.ts'

/** Whether the server accepts the name. Lengths are in code points. */
export function isGuestName(text: string): boolean {
  const name = text.trim()
  return [...name].length <= guestLimits.nameMax && isPersonName(name)
}
