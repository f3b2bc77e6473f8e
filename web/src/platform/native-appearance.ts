import { SplashScreen, SystemBars, SystemBarsStyle } from './native-plugins.ts'

/** The maximum time for which the splash screen stays, in milliseconds. */
const splashMaxMs = 5000

/** The system bars follow the colour scheme of the page, which may differ from the phone's. */
export function matchSystemBars(): void {
  const root = document.documentElement
  const match = () => {
    const style = root.dataset['colorScheme'] === 'dark' ? SystemBarsStyle.Dark : SystemBarsStyle.Light
    void SystemBars.setStyle({ style }).catch(() => undefined)
  }
  match()
  new MutationObserver(match).observe(root, { attributeFilter: ['data-color-scheme'] })
}

/** Hides the splash screen after the first screen is rendered. */
export function hideSplashOnceDrawn(root: HTMLElement): void {
  const timer = setTimeout(hide, splashMaxMs)
  const observer = new MutationObserver(check)
  observer.observe(root, { childList: true, subtree: true })
  check()

  function check() {
    if (root.querySelector('main, h1') === null) return
    // The second frame starts after the first one is on screen.
    requestAnimationFrame(() => requestAnimationFrame(hide))
    observer.disconnect()
  }

  function hide() {
    clearTimeout(timer)
    observer.disconnect()
    void SplashScreen.hide().catch(() => undefined)
  }
}
