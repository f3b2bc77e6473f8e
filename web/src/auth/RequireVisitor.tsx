import { Navigate, Outlet, useLocation } from 'react-router'
import { placeBefore } from './login-state.ts'
import { useSession } from './session.ts'

/** For the screens that have nothing to say to someone signed in. */
export function RequireVisitor() {
  const { isAuthenticated } = useSession()
  const { state } = useLocation()
  return isAuthenticated ? <Navigate to={placeBefore(state)} replace /> : <Outlet />
}
