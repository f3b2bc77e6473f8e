import { type ReactNode, Suspense, useState } from 'react'
import { Outlet, useMatch } from 'react-router'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'

/**
 * Home stays mounted and hidden behind the other screens once it was open, because its map takes seconds to start. Home
 * hides itself.
 */
export function KeepHome({ home }: { home: ReactNode }) {
  const isHome = useMatch('/') !== null
  const [wasHome, setWasHome] = useState(isHome)
  if (isHome && !wasHome) setWasHome(true)
  return (
    <>
      {wasHome && <Suspense fallback={<ScreenLoading />}>{home}</Suspense>}
      <Outlet />
    </>
  )
}
