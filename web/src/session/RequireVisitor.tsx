import { useEffect, useRef } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { pathAfterSignIn, returnPath, stepsSinceStart } from './login-state.ts'
import { useSession } from './session.ts'

/** Redirects signed-in users away from the screens for visitors. */
export function RequireVisitor() {
  const { isAuthenticated } = useSession()
  const { hash, state } = useLocation()
  if (!isAuthenticated) return <Outlet />
  // A user who wanted to link a provider to the account came back without success.
  if (hash.startsWith('#error=')) return <Navigate to={`/signed-in${hash}`} replace />
  const path = pathAfterSignIn(state)
  // The sign-up has used the link that it began with.
  const steps = path === returnPath(state) ? stepsSinceStart(state) : 0
  // The start is the page that asked to sign in, or the first page for visitors, which then redirects itself.
  return steps > 0 ? <GoBack steps={steps} /> : <Navigate to={path} replace />
}

function GoBack({ steps }: { steps: number }) {
  const navigate = useNavigate()
  const hasGone = useRef(false)
  useEffect(() => {
    if (!hasGone.current) void navigate(-steps)
    hasGone.current = true
  }, [navigate, steps])
  return null
}
