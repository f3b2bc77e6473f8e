import { Navigate, Outlet, useLocation } from 'react-router'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'
import { type LoginState } from './login-state.ts'
import { hasSignedOut, useSession } from './session.ts'

/** Whoever is not signed in goes to /login, and comes back to this very place afterwards. */
export function RequireSession() {
  const { isAuthenticated, loading } = useSession()
  const { pathname, search, hash } = useLocation()
  if (isAuthenticated) return <Outlet />
  // The profile shows itself in outline; the other screens ask who is looking.
  if (loading) return pathname === '/profile' ? <Outlet /> : <ScreenLoading />
  const state: LoginState = hasSignedOut() ? {} : { from: pathname + search + hash }
  return <Navigate to="/login" replace state={state} />
}
