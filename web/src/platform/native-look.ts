import { SplashScreen, SystemBars, SystemBarsStyle } from './native-plugins.ts'

/** Whatever happens, nobody looks at the first picture for longer. */
const splashMaxMs = 5000

/** The system's bars follow the scheme of the page, which need not be the phone's. */
export function matchSystemBars(): void {
  const root = document.documentElement
  const match = () => {
    const style = root.dataset['colorScheme'] === 'dark' ? SystemBarsStyle.Dark : SystemBarsStyle.Light
    void SystemBars.setStyle({ style }).catch(() => undefined)
  }
  match()
  new MutationObserver(match).observe(root, { attributeFilter: ['data-color-scheme'] })
}

/** Takes the first picture away once there is another beneath it. */
export function hideSplashOnceDrawn(root: HTMLElement): void {
  const timer = setTimeout(hide, splashMaxMs)
  const observer = new MutationObserver(check)
  observer.observe(root, { childList: true, subtree: true })
  check()

  function check() {
    if (root.querySelector('main, h1') === null) return
    // This frame is made; the one after it is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(hide))
    observer.disconnect()
  }

  function hide() {
    clearTimeout(timer)
    observer.disconnect()
    void SplashScreen.hide().catch(() => undefined)
  }
}
