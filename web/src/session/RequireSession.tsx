import { Navigate, Outlet, useLocation } from 'react-router'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'
import type { LoginState } from './login-state.ts'
import { hasSignedOut, useSession } from './session.ts'

/** Redirects visitors to /login, which returns to the same path after sign-in. */
export function RequireSession() {
  const { isAuthenticated, loading } = useSession()
  const { pathname, search, hash } = useLocation()
  if (isAuthenticated) return <Outlet />
  // The profile shows its skeleton. The other screens need the user.
  if (loading) return pathname === '/profile' ? <Outlet /> : <ScreenLoading />
  const state: LoginState = hasSignedOut() ? {} : { from: pathname + search + hash }
  return <Navigate to="/login" replace state={state} />
}
