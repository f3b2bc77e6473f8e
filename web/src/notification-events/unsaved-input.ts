const dialogs = ['[role="dialog"]', '[role="alertdialog"]']
const lines = ['input:not([type])', 'input[type="text"]', 'input[type="search"]', 'input[type="email"]']
/** The message field of a chat is left out, because its text is stored as a draft. That of an edited message is not stored. */
const fields = [
  ...dialogs.flatMap((dialog) => ['textarea', ...lines].map((field) => `${dialog} ${field}`)),
  ...lines.map((line) => `form ${line}`),
  '[data-unsaved] textarea',
]

/** Whether a form or a dialog contains text that navigating away would lose. */
export function hasUnsavedInput(): boolean {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(fields.join())].some(
    ({ readOnly, value }) => !readOnly && value.trim() !== '',
  )
}
