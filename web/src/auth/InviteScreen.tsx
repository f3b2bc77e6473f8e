import { Navigate, useParams } from 'react-router'
import { type LoginState } from './login-state.ts'

/** What an invitation link opens: the way to sign up, with its code along. */
export function InviteScreen() {
  const { code = '' } = useParams()
  const state: LoginState = { invitation: code }
  return <Navigate to="/signup" replace state={state} />
}
