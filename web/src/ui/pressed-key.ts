import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/** What browsers report for a key that an input method handles. */
const handledByInputMethod = 229

/**
 * Returns the key of an event, or null if it is meant for an input method, as Enter is that confirms a word. Safari ends the
 * composition before that Enter, so the key code must be considered too.
 */
export function pressedKey(event: KeyboardEvent | ReactKeyboardEvent): string | null {
  const { isComposing, keyCode, key } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === handledByInputMethod ? null : key
}
