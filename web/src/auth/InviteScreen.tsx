import { Navigate, useParams } from 'react-router'
import type { LoginState } from '../session/login-state.ts'

/** The target of an invitation link: sign-up with its code. */
export function InviteScreen() {
  const { code = '' } = useParams()
  const state: LoginState = { invitation: code }
  return <Navigate to="/signup" replace state={state} />
}
