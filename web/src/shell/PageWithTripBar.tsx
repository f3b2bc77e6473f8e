import GlobalStyles from '@mui/material/GlobalStyles'
import { Outlet } from 'react-router'
import { lazyComponent } from '../ui/lazy.tsx'

const barHeights = { ':root': { '--bottom-bar': 'var(--trip-bar, 0px)', '--trip-bar-inset': 'var(--sab)' } }

// The routes contain this frame, and most visits need none of them: visitors have no lists of pings, and most people a network.
const BannerSlot = lazyComponent(async () => (await import('./BannerSlot.tsx')).BannerSlot)
const OfflineBanner = lazyComponent(async () => (await import('./OfflineBanner.tsx')).OfflineBanner)
const TripBarSlot = lazyComponent(async () => (await import('../pings/trips/TripBarSlot.tsx')).TripBarSlot)

/** The frame of the screens without navigation: the trip bar is their only bar, at the lower edge. */
export function PageWithTripBar() {
  return (
    <>
      <GlobalStyles styles={barHeights} />
      <OfflineBanner isTop />
      <BannerSlot isTop />
      <Outlet />
      <TripBarSlot />
    </>
  )
}
