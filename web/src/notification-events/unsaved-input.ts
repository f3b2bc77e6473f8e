const lines = ['input:not([type])', 'input[type="text"]', 'input[type="search"]', 'input[type="email"]']
/** The message field of a chat is left out, because its text is stored as a draft. */
const selector = ['[role="dialog"] textarea', ...lines.flatMap((line) => [`[role="dialog"] ${line}`, `form ${line}`])]

/** Whether a form or a dialog contains text that navigating away would lose. */
export function hasUnsavedInput(): boolean {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector.join())].some(
    ({ readOnly, value }) => !readOnly && value.trim() !== '',
  )
}
