import { indexInHistory } from '../ui/navigate.ts'
import { isOverlayOpen } from '../ui/overlays/overlay-history.ts'
import { App } from './native-plugins.ts'

/** The back button or gesture does what it does in a browser. On the first screen, it moves the app to the background. */
export function handleBackButton(): void {
  void App.addListener('backButton', () => {
    if (isOverlayOpen() || indexInHistory() > 0) history.back()
    else void App.minimizeApp()
  })
}
