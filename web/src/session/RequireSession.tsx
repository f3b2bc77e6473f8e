import { useLayoutEffect } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { adminCodeIn, readAdminCode, storeAdminCode } from '../admin/admin-code.ts'
import { ScreenLoading } from '../ui/ScreenLoading.tsx'
import type { LoginState } from './login-state.ts'
import { hasSignedOut, useSession } from './session.ts'

/** Redirects visitors to /login, which returns to the same path after sign-in, and with an admin link to /signup. */
export function RequireSession() {
  const { isAuthenticated, loading } = useSession()
  const { pathname, search, hash } = useLocation()
  const isOpening = useOpenedAdminLink()
  if (isOpening) return <ScreenLoading />
  if (isAuthenticated) return <Outlet />
  // The profile shows its skeleton. The other screens need the user.
  if (loading) return pathname === '/profile' ? <Outlet /> : <ScreenLoading />
  if (hasSignedOut()) return <Navigate to="/login" replace state={{} satisfies LoginState} />
  const state: LoginState = { from: pathname + search + hash }
  const isNewAdmin = pathname === '/admin' && readAdminCode() !== null
  return <Navigate to={isNewAdmin ? '/signup' : '/login'} replace state={state} />
}

/** Moves the code of an admin link from the address to the storage of the tab. Returns whether the address still has it. */
function useOpenedAdminLink(): boolean {
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const code = pathname === '/admin' ? adminCodeIn(hash) : null

  useLayoutEffect(() => {
    if (code === null) return
    storeAdminCode(code)
    void navigate('/admin', { replace: true })
  }, [code, navigate])

  return code !== null
}
