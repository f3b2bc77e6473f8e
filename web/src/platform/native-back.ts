import { App } from './native-plugins.ts'

/**
 * Handles the back button or gesture: closes the topmost overlay, otherwise goes back, otherwise moves the app to the
 * background.
 */
export function handleBackButton(): void {
  void App.addListener('backButton', () => {
    if (closeTopmost()) return
    if (hasWayBack()) history.back()
    else void App.minimizeApp()
  })
}

/** Every overlay closes with Escape. */
function closeTopmost(): boolean {
  const covers = [...document.querySelectorAll<HTMLElement>('.MuiModal-root:not(.MuiModal-hidden), [role="dialog"]')]
  // A hidden overlay is below another one or is closing.
  const top = covers.findLast((cover) => cover.closest('[aria-hidden="true"]') === null)
  if (top === undefined) return false
  const focused = document.activeElement
  const target = focused !== null && top.contains(focused) ? focused : top
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  return true
}

/** The router counts history entries. The first one of the app has the index 0. */
function hasWayBack(): boolean {
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  return idx > 0
}
