const lines = ['input:not([type])', 'input[type="text"]', 'input[type="search"]', 'input[type="email"]']
/** What is written in a chat is kept as its draft, so that the paragraphs of dialogs are all that is left. */
const selector = ['[role="dialog"] textarea', ...lines.flatMap((line) => [`[role="dialog"] ${line}`, `form ${line}`])]

/** Whether something is half written that leaving the screen would lose. */
export function isWriting(): boolean {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector.join())].some(
    ({ readOnly, value }) => !readOnly && value.trim() !== '',
  )
}
