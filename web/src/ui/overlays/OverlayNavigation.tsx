import { type ReactNode, useContext, useMemo } from 'react'
import { UNSAFE_NavigationContext as NavigationContext, type Navigator } from 'react-router'
import { afterOverlays } from './overlay-history.ts'

/** Makes every navigation of the router remove the entries of open overlays first. */
export function OverlayNavigation({ children }: { children: ReactNode }) {
  const router = useContext(NavigationContext)
  const value = useMemo(() => {
    const { navigator } = router
    const wrapped: Navigator = {
      createHref: (...args) => navigator.createHref(...args),
      push: (...args) => afterOverlays(() => navigator.push(...args)),
      replace: (...args) => afterOverlays(() => navigator.replace(...args)),
      go: (delta) => afterOverlays(() => navigator.go(delta)),
      ...(navigator.encodeLocation && { encodeLocation: navigator.encodeLocation }),
    }
    return { ...router, navigator: wrapped }
  }, [router])
  return <NavigationContext value={value}>{children}</NavigationContext>
}
