import { readSignInAttempt } from '../api/sign-in-attempt.ts'
import { tabStorage } from '../device/storage.ts'
import { App } from './native-plugins.ts'
import { routeOf, signedInRouteOf } from './route-of.ts'

const handledKey = 'launch_link'

/**
 * Opens links to the server in the app: the link that started the app, and those that arrive while it runs. The way back from a
 * provider counts only while this device waits for it.
 */
export async function followLinks(server: string, go: (path: string) => unknown): Promise<void> {
  const hosts = [new URL(server).host]
  // The launch link may be reported in both ways.
  let underway: string | null = null
  const follow = async (link: unknown) => {
    const route = readSignInAttempt() === null ? routeOf(link, hosts) : (signedInRouteOf(link) ?? routeOf(link, hosts))
    if (route === null || route === underway || route === location.pathname) return
    underway = route
    await go(route)
    underway = null
  }
  await App.addListener('appUrlOpen', ({ url }) => void follow(url))
  const launch = await App.getLaunchUrl().catch(() => undefined)
  // The launch link stays the same after a reload, and was already opened then.
  if (launch === undefined || tabStorage.getItem(handledKey) === launch.url) return
  tabStorage.setItem(handledKey, launch.url)
  await follow(launch.url)
}
