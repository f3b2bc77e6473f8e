import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useSession } from '../auth/session.ts'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'
import { loadMessageBar } from '../ui/SnackbarProvider.tsx'
import { BottomNavigationBar } from './BottomNavigationBar.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { SkipLink } from './SkipLink.tsx'
import { TopBar } from './TopBar.tsx'

const NotificationSuggestion = lazy(async () => ({
  default: (await import('../notifications/NotificationSuggestion.tsx')).NotificationSuggestion,
}))

/** On the root, because messages that float above the bars are drawn outside the shell. */
const barHeights = {
  ':root': {
    '--top-bar': 'calc(56px + var(--sat))',
    '--bottom-bar': 'calc(64px + var(--sab))',
  },
}

/** Bars around the screen of the moment. */
export function Shell() {
  const { pathname } = useLocation()
  const { user } = useSession()
  const main = useRef<HTMLElement>(null)

  // What failed is said where nothing can be loaded any more, too.
  useEffect(() => void loadMessageBar().catch(() => undefined), [])

  // The screens take turns in one scrolling box; each begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what tells the screens apart
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0)
  }, [pathname])

  return (
    <Box
      sx={{
        height: '100dvh',
        display: 'grid',
        gridTemplateRows: 'auto auto minmax(0, 1fr) auto',
        gridTemplateColumns: 'minmax(0, 1fr)',
      }}
    >
      <GlobalStyles styles={barHeights} />
      <SkipLink />
      <TopBar />
      <Box sx={{ gridRow: 2 }}>
        <OfflineBanner />
        {user && (
          <Suspense fallback={null}>
            <NotificationSuggestion key={user.id} user={user} />
          </Suspense>
        )}
      </Box>
      <Box
        component="main"
        ref={main}
        id="content"
        tabIndex={-1}
        sx={{ gridRow: 3, position: 'relative', minHeight: 0, overflowY: 'auto', outline: 'none' }}
      >
        <Suspense fallback={<ScreenLoading />}>
          <Outlet />
        </Suspense>
      </Box>
      <BottomNavigationBar />
    </Box>
  )
}
