import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { queryClient } from './api/query-client.ts'
import { keepQueries, newestAnswerAt, restoreQueries } from './api/query-persistence.ts'
import { sessionState, startSession } from './auth/session.ts'
import { LiveConnection } from './live/LiveConnection.tsx'
import { setKnownUntil } from './live/live-status.ts'
import { Notifications } from './notifications/Notifications.tsx'
import { OutboxNotices } from './outbox/OutboxNotices.tsx'
import { isNative } from './platform/is-native.ts'
import { startServiceWorker } from './pwa/registration.ts'
import { UpdatePrompt } from './pwa/UpdatePrompt.tsx'
import { loadScreens, Screens } from './routes.tsx'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { Guide, go } from './shell/go.ts'
import { ThemeColour } from './shell/ThemeColour.tsx'
import './splash.css'
import { theme } from './theme.ts'
import { SnackbarProvider } from './ui/SnackbarProvider.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
void begin(root)

/** Not at the top: what is imported here has parts in common with this file, and would wait for it to end. */
async function begin(root: HTMLElement) {
  // The code of the packaged app is in no browser's way.
  if (isNative()) await import('./platform/native-shell.ts').then(({ startShell }) => startShell(root))
  startSession()
  startServiceWorker()

  // After a deployment the parts named by an old page are gone; a fresh page names those that exist. Once, lest it goes on for ever.
  window.addEventListener('vite:preloadError', (event) => {
    const reloadedAtMs = Number(sessionStorage.getItem('reloaded_at') ?? 0)
    // Without network, a fresh page would be none.
    if (!navigator.onLine || Date.now() - reloadedAtMs < 60_000) return
    event.preventDefault()
    sessionStorage.setItem('reloaded_at', String(Date.now()))
    location.reload()
  })

  const screens = loadScreens(location.pathname, sessionState().user !== null)
  // The first picture shows what is known; a slow disk does not keep anyone from the server's own answer.
  await Promise.race([restoreQueries(queryClient), new Promise((resolve) => setTimeout(resolve, 500))])
  await screens
  const knownUntilMs = newestAnswerAt(queryClient)
  if (knownUntilMs !== null) setKnownUntil(knownUntilMs)
  keepQueries(queryClient)

  // In slices, so that a slow phone still answers a finger meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ThemeProvider theme={theme} defaultMode="system" modeStorageKey="mui-mode">
          <CssBaseline enableColorScheme />
          <ThemeColour />
          <ErrorBoundary>
            <QueryClientProvider client={queryClient}>
              <LiveConnection />
              <SnackbarProvider>
                <BrowserRouter>
                  <Guide />
                  <Screens />
                </BrowserRouter>
                <UpdatePrompt />
                <OutboxNotices />
                <Notifications onOpen={go} />
              </SnackbarProvider>
            </QueryClientProvider>
          </ErrorBoundary>
        </ThemeProvider>
      </StrictMode>,
    ),
  )
}
