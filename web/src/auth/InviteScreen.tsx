import { Navigate, useLocation, useParams } from 'react-router'
import type { LoginState } from '../session/login-state.ts'

/** The target of an invitation link: sign-up with its code. Earlier links have the code in the path. */
export function InviteScreen() {
  const { hash } = useLocation()
  const { code = hash.slice(1) } = useParams()
  const state: LoginState = { invitation: code }
  return <Navigate to="/signup" replace state={state} />
}
