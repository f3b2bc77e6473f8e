import { App } from './native-plugins.ts'
import { routeOf } from './route-of.ts'

const handledKey = 'launch_link'

/** Links that open the app, and links that come while it is open, lead to their place if they are the server's own. */
export async function followLinks(server: string, go: (path: string) => unknown): Promise<void> {
  const hosts = [new URL(server).host]
  // A start may be told in both ways.
  let underway: string | null = null
  const follow = async (link: unknown) => {
    const route = routeOf(link, hosts)
    if (route === null || route === underway || route === location.pathname) return
    underway = route
    await go(route)
    underway = null
  }
  await App.addListener('appUrlOpen', ({ url }) => void follow(url))
  const launch = await App.getLaunchUrl().catch(() => undefined)
  // It stays the same when the page is loaded again, and was followed then.
  if (launch === undefined || sessionStorage.getItem(handledKey) === launch.url) return
  sessionStorage.setItem(handledKey, launch.url)
  await follow(launch.url)
}
