import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { hideSuggestion } from '../notifications/push/suggestion.ts'
import { TripBarSlot } from '../pings/trips/TripBarSlot.tsx'
import { loadOnce } from '../ui/load-module.ts'
import { importMessageBar } from '../ui/notices/SnackbarProvider.tsx'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'
import { BannerSlot } from './BannerSlot.tsx'
import { BottomNavigationBar } from './BottomNavigationBar.tsx'
import { HomeNotices } from './HomeNotices.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { SkipLink } from './SkipLink.tsx'
import { TopBar } from './TopBar.tsx'

/** Set on the root element, because the messages above the bars are rendered outside of the shell. */
const barHeights = {
  ':root': {
    '--top-bar': 'calc(56px + var(--sat))',
    '--bottom-bar': 'calc(4rem + var(--sab) + var(--trip-bar, 0px))',
  },
}

/** The top bar and the navigation around the current screen. */
export function Shell() {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)

  // Error messages must also appear when no code can be loaded any more.
  useEffect(() => void loadOnce(importMessageBar).catch(() => undefined), [])

  // All screens share one scrolling box, and each starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path identifies the screen
  useLayoutEffect(() => {
    hideSuggestion()
    main.current?.scrollTo(0, 0)
  }, [pathname])

  return (
    <Box
      sx={{
        height: '100dvh',
        display: 'grid',
        gridTemplateRows: 'auto auto minmax(0, 1fr) auto auto',
        gridTemplateColumns: 'minmax(0, 1fr)',
      }}
    >
      <GlobalStyles styles={barHeights} />
      <SkipLink />
      <TopBar />
      <Box sx={{ gridRow: 2 }}>
        <OfflineBanner />
        <BannerSlot />
        {pathname === '/' && <HomeNotices />}
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
      <TripBarSlot />
      <BottomNavigationBar />
    </Box>
  )
}
