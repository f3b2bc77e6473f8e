import { App } from './native-plugins.ts'

/** The button, or the gesture: closes what lies on top, else goes back, else puts the app away. */
export function handleBackButton(): void {
  void App.addListener('backButton', () => {
    if (closeTopmost()) return
    if (hasWayBack()) history.back()
    else void App.minimizeApp()
  })
}

/** All that covers a screen closes with Escape. */
function closeTopmost(): boolean {
  const covers = [...document.querySelectorAll<HTMLElement>('.MuiModal-root:not(.MuiModal-hidden), [role="dialog"]')]
  // What is hidden lies beneath another, or is on its way out.
  const top = covers.findLast((cover) => cover.closest('[aria-hidden="true"]') === null)
  if (top === undefined) return false
  const focused = document.activeElement
  const target = focused !== null && top.contains(focused) ? focused : top
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  return true
}

/** The router counts the places that were gone through; a page before the app's first is not one. */
function hasWayBack(): boolean {
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  return idx > 0
}
