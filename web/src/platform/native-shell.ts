import { go } from '../shell/go.ts'
import { provideBrowserApis } from './native-apis.ts'
import { handleBackButton } from './native-back.ts'
import { followLinks } from './native-links.ts'
import { hideSplashOnceDrawn, matchSystemBars } from './native-look.ts'
import { restoreServer } from './native-server.ts'

/** Before anything is drawn in the packaged app: resolves with the server and its session at hand, or on the way to the question. */
export async function startShell(root: HTMLElement): Promise<void> {
  hideSplashOnceDrawn(root)
  provideBrowserApis()
  matchSystemBars()
  handleBackButton()
  // A phone that cannot say which server it was is asked again.
  const server = await restoreServer().catch(() => null)
  if (server === null) go('/server', { replace: true })
  else await followLinks(server, go)
}
