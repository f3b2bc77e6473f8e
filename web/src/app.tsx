import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { Fragment, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { newestAnswerAt, persistQueries, restoreQueries } from './api/query-persistence.ts'
import { isRightToLeft } from './i18n/language.ts'
import { LiveConnection } from './live/LiveConnection.tsx'
import { isOfContract } from './live/stored-shapes.ts'
import { Notifications } from './notification-events/Notifications.tsx'
import { startGuestUpkeep } from './pings/guests/start-upkeep.ts'
import { isNative } from './platform/is-native.ts'
import { startServiceWorker } from './pwa/registration.ts'
import { UpdatePrompt } from './pwa/UpdatePrompt.tsx'
import { setKnownUntil } from './realtime/live-status.ts'
import { loadScreens, Screens } from './routes.tsx'
import { sessionState, startSession } from './session/session.ts'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { ThemeColour } from './shell/ThemeColour.tsx'
import { loadModule, loadOnce } from './ui/load-module.ts'
import { NavigateBinding, navigate } from './ui/navigate.ts'
import { Notices } from './ui/notices/Notices.tsx'
import { SnackbarProvider } from './ui/notices/SnackbarProvider.tsx'
import { OverlayRouter } from './ui/overlays/OverlayRouter.tsx'
import { startOverlayHistory } from './ui/overlays/overlay-history.ts'
import { theme } from './ui/theme/theme.ts'

/** Draws the app into `root`. Runs once, after the texts of the first screen have been loaded. */
export async function startApp(root: HTMLElement) {
  // Only the packaged app loads this code.
  if (isNative()) {
    const { startShell } = await loadModule(() => import('./platform/native-shell.ts'))
    await startShell(root)
  }
  startOverlayHistory()
  startSession()
  startServiceWorker()

  const mirror = isRightToLeft
    ? loadModule(async () => (await import('./ui/theme/RightToLeft.tsx')).RightToLeft, 'visitor')
    : Fragment
  const isSignedIn = sessionState().user !== null
  const screens = loadScreens(location.pathname, isSignedIn)
  const due = isSignedIn ? loadDue().catch(() => null) : null
  // The first render shows the stored data. A slow disk must not delay the request to the server by more than 500 ms.
  await Promise.race([restoreQueries(queryClient, isOfContract), new Promise((resolve) => setTimeout(resolve, 500))])
  await screens
  const Direction = await mirror
  const knownUntilMs = newestAnswerAt(queryClient)
  if (knownUntilMs !== null) setKnownUntil(knownUntilMs)
  persistQueries(queryClient)
  for (const erase of (await due) ?? []) erase(queryClient)

  startGuestUpkeep(queryClient)

  // A transition renders in slices, so that a slow phone still responds to taps during the first render.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Direction>
          <ThemeProvider theme={theme} defaultMode="system" modeStorageKey="mui-mode">
            <CssBaseline enableColorScheme />
            <ThemeColour />
            <ErrorBoundary>
              <QueryClientProvider client={queryClient}>
                <LiveConnection />
                <SnackbarProvider>
                  <OverlayRouter>
                    <NavigateBinding />
                    <Screens />
                  </OverlayRouter>
                  <UpdatePrompt />
                  <Notices />
                  <Notifications onOpen={navigate} />
                </SnackbarProvider>
              </QueryClientProvider>
            </ErrorBoundary>
          </ThemeProvider>
        </Direction>
      </StrictMode>,
    ),
  )
}

/** Loads what erases from the cache what must not be shown anymore, also without a network. */
async function loadDue() {
  const [{ hideDuePlaces }, { removeDueChats }] = await Promise.all([
    loadOnce(() => import('./pings/place/due-places.ts'), 'home'),
    loadOnce(() => import('./chat/dates/due-chats.ts'), 'home'),
  ])
  return [hideDuePlaces, removeDueChats]
}
