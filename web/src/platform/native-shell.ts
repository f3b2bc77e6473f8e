import { navigate } from '../ui/navigate.ts'
import { provideBrowserApis } from './native-apis.ts'
import { hideSplashOnceDrawn, matchSystemBars } from './native-appearance.ts'
import { handleBackButton } from './native-back.ts'
import { followLinks } from './native-links.ts'
import { restoreServer } from './native-server.ts'

/**
 * Prepares the packaged app before the first render. Resolves with the server and its session loaded, or with the
 * server screen opened.
 */
export async function startShell(root: HTMLElement): Promise<void> {
  hideSplashOnceDrawn(root)
  provideBrowserApis()
  matchSystemBars()
  handleBackButton()
  // If the server cannot be read, the user is asked again.
  const server = await restoreServer().catch(() => null)
  if (server === null) navigate('/server', { replace: true })
  else await followLinks(server, navigate)
}
