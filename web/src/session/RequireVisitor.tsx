import { Navigate, Outlet, useLocation } from 'react-router'
import { pathAfterSignIn } from './login-state.ts'
import { useSession } from './session.ts'

/** Redirects signed-in users away from the screens for visitors. */
export function RequireVisitor() {
  const { isAuthenticated } = useSession()
  const { hash, state } = useLocation()
  if (!isAuthenticated) return <Outlet />
  // A user who wanted to link a provider to the account came back without success.
  if (hash.startsWith('#error=')) return <Navigate to={`/signed-in${hash}`} replace />
  return <Navigate to={pathAfterSignIn(state)} replace />
}
