import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { SetPassword } from './SetPassword.tsx'

/** The target of reset links: of those in emails, and of those that an admin or the operator of the server creates. */
export function ResetPasswordScreen() {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(() => tokenOf(hash, search))

  // The address and the history must not contain a token that stays valid for a day.
  useEffect(() => {
    if (hash === '') return
    setToken(tokenOf(hash, search))
    void navigate('/reset-password', { replace: true })
  }, [hash, search, navigate])

  return <SetPassword key={token} token={token} />
}

function tokenOf(hash: string, search: string): string {
  return new URLSearchParams(hash === '' ? search : hash.slice(1)).get('token') ?? ''
}
